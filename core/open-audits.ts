import { precedes, samePlace, type TurnPath } from './turn-path.js';

/** The newest audit at its place that is not yet settled; it stands for the ones before it. */
export interface OpenAudit {
  readonly path: TurnPath;
  /** Resolves when the verdict is there: the next audit along the line may begin. */
  readonly judged: Promise<void>;
  /** Resolves when it is recorded too, and all that came before: the host may go on. */
  readonly settled: Promise<unknown>;
}

const NONE: readonly OpenAudit[] = [];

/** The audits of one run that are under way. */
export class OpenAudits {
  readonly #open = new Set<OpenAudit>();

  /** Those of turns that precede the place: what comes there must wait for them. */
  before(path: TurnPath): readonly OpenAudit[] {
    if (this.#open.size === 0) return NONE;
    return [...this.#open].filter((audit) => precedes(audit.path, path));
  }

  /** Holds the audit until it has settled, in the place of those that `earlier` has at the same place. */
  async hold(audit: OpenAudit, earlier: readonly OpenAudit[]): Promise<void> {
    for (const other of earlier) if (samePlace(other.path, audit.path)) this.#open.delete(other);
    this.#open.add(audit);
    try {
      await audit.settled;
    } finally {
      this.#open.delete(audit);
    }
  }

  async allSettled(): Promise<void> {
    await Promise.all([...this.#open].map((audit) => audit.settled));
  }
}
