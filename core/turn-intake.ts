import type { Prefix } from './prefix.js';
import { readTurn } from './read-turn.js';
import type { RunRedactor } from './run-redactor.js';
import { Trajectory } from './trajectory.js';
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
  /** By id, what each turn says. */
  readonly #contents = new Map<string, string>();
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
    const captured = this.#redactor.captured(turn);
    if (!this.#isNew(id, captured.content)) return { path, fault, prefix: undefined };
    const at = turn.at ?? Date.now();
    return { path, fault, prefix: this.trajectory.append({ ...turn, ...captured, id, path, at }) };
  }

  #isNew(id: string, content: string): boolean {
    const known = this.#contents.get(id);
    if (known !== undefined) {
      if (known !== content)
        this.#report('turn-id-taken', `two turns of one run have the id ${id}; the second is not recorded`);
      return false;
    }
    // No character takes more than three bytes.
    const mayBeLarge = content.length * 3 > DEFAULT_MAX_TURN_BYTES;
    if (mayBeLarge && Buffer.byteLength(content) > DEFAULT_MAX_TURN_BYTES) {
      this.#report(
        'large-turn',
        `turn ${id} is kept whole, but readers of the log will ask for --max-turn-mb`,
      );
    }
    this.#contents.set(id, content);
    return true;
  }

  #freeId(): string {
    let number = this.trajectory.length;
    while (this.#contents.has(`turn-${number}`)) number++;
    return `turn-${number}`;
  }
}
