import { hash } from 'node:crypto';
import type { RecordedRun } from '../recorded-run.js';

/** An oddity that shows only when several runs are seen together. */
export interface CorpusQuirk {
  /** Stable and kebab-case, listed in docs/formats.md. */
  readonly code: string;
  /** The run ids concerned, in the order the runs were seen. */
  readonly runs: readonly string[];
  readonly detail: string;
}

/** Sees every run once, in any order, and keeps hashes and ids of it, never the run. */
export interface CorpusCheck {
  observe(run: RecordedRun): void;
  report(): Iterable<CorpusQuirk>;
}

/** Runs by what they have in common. Keys are kept as hashes: a corpus has more text than memory. */
export class Groups<Member> {
  readonly #members = new Map<string, Member[]>();

  add(key: string, member: Member): void {
    const hashed = hash('sha256', key, 'base64');
    const members = this.#members.get(hashed);
    if (members) members.push(member);
    else this.#members.set(hashed, [member]);
  }

  *ofAtLeast(size: number): Generator<readonly Member[]> {
    for (const members of this.#members.values()) if (members.length >= size) yield members;
  }
}
