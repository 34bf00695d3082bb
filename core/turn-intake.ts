import type { Prefix } from './prefix.js';
import { readTurn } from './read-turn.js';
import type { RunRedactor } from './run-redactor.js';
import { Trajectory, type UnplacedTurn } from './trajectory.js';
import { DEFAULT_MAX_TURN_BYTES, type TurnInput } from './turn.js';
import type { TurnPath } from './turn-path.js';

/** A turn that has been taken in. */
export interface TakenTurn {
  readonly path: TurnPath;
  /** Ends with the turn; absent when the turn was there already. */
  readonly prefix: Prefix | undefined;
  /** Why what was submitted is no turn. It is kept all the same, as far as it can be read. */
  readonly fault: string | undefined;
}

/** Where a run's turns come in: checked, redacted, told apart by id, and given their place. */
export class TurnIntake {
  readonly trajectory = new Trajectory();
  readonly #turns = new Map<string, UnplacedTurn>();
  readonly #redactor: RunRedactor;
  readonly #report: (code: string, message: string) => void;

  constructor(redactor: RunRedactor, report: (code: string, message: string) => void) {
    this.#redactor = redactor;
    this.#report = report;
  }

  take(input: TurnInput): TakenTurn {
    const { turn, fault } = readTurn(input, (whole) => this.#redactor.json(whole));
    const path = turn.path ?? [];
    const id = turn.id ?? this.#freeId();
    const redacted = this.#redactor.turn({ ...turn, id, path, at: turn.at ?? Date.now() });
    return { path, fault, prefix: this.#isNew(redacted) ? this.trajectory.append(redacted) : undefined };
  }

  #isNew(turn: UnplacedTurn): boolean {
    const known = this.#turns.get(turn.id);
    if (known) {
      if (known.content !== turn.content) {
        this.#report(
          'turn-id-taken',
          `two turns of one run have the id ${turn.id}; the second is not recorded`,
        );
      }
      return false;
    }
    // No character takes more than three bytes.
    const mayBeLarge = turn.content.length * 3 > DEFAULT_MAX_TURN_BYTES;
    if (mayBeLarge && Buffer.byteLength(turn.content) > DEFAULT_MAX_TURN_BYTES) {
      this.#report(
        'large-turn',
        `turn ${turn.id} is kept whole, but readers of the log will ask for --max-turn-mb`,
      );
    }
    this.#turns.set(turn.id, turn);
    return true;
  }

  #freeId(): string {
    let number = this.trajectory.length;
    while (this.#turns.has(`turn-${number}`)) number++;
    return `turn-${number}`;
  }
}
