import type { Quirk, RecordedRun } from '../recorded-run.js';

/** One occurrence: a quirk before its check has put its code on it. */
export type Finding = Omit<Quirk, 'code'>;

/** Looks for one kind of oddity in one subject: a run, or a run as its own format has it. */
export interface Check<Subject> {
  /** Stable and kebab-case, listed in docs/formats.md. */
  readonly code: string;
  find(subject: Subject): Iterable<Finding>;
}

export type RunCheck = Check<Omit<RecordedRun, 'quirks'>>;

/** What the checks find, in their order. */
export function quirksOf<Subject>(checks: readonly Check<Subject>[], subject: Subject): readonly Quirk[] {
  return checks.flatMap(({ code, find }) => Array.from(find(subject), (finding) => ({ code, ...finding })));
}
