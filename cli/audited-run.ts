import type { AuditFailure, AuditRecord, Turn, Verdict } from '../core/index.js';

/** One step as a reader of the timeline sees it. */
export interface AuditedStep {
  readonly turn: Turn;
  /** What was said of the prefix that ends here; neither is set where nobody was asked. */
  readonly verdict?: Verdict | undefined;
  readonly failure?: AuditFailure | undefined;
  /** Facts beside the verdict. */
  readonly notes: readonly string[];
}

export interface AuditedRun {
  readonly task: string;
  readonly steps: readonly AuditedStep[];
  /** The step at which the first alarm was raised, the run's last word. */
  readonly alarmed?: AuditedStep | undefined;
}

/** Puts one run's records together. @param turns in final order */
export function auditedRun(
  records: readonly AuditRecord[],
  turns: readonly Turn[],
  notes: ReadonlyMap<string, readonly string[]> = new Map(),
): AuditedRun {
  const said = new Map<string, Pick<AuditedStep, 'verdict' | 'failure'>>();
  for (const record of records) {
    if (record.type === 'verdict') said.set(record.turnId, { verdict: record.verdict });
    else if (record.type === 'failure') said.set(record.turnId, { failure: record.failure });
  }
  const steps = turns.map((turn) => ({ turn, ...said.get(turn.id), notes: notes.get(turn.id) ?? [] }));
  const run = records.find((record) => record.type === 'run');
  return {
    task: run?.task ?? '',
    steps,
    alarmed: steps.find(({ verdict }) => verdict?.kind === 'alarm'),
  };
}
