import type { RecordedRun, RunLabel } from '../collectors/recorded-run.js';

/** A labelled run, as the bench walks and scores it. */
export interface BenchRun {
  readonly run: RecordedRun & { readonly label: RunLabel };
  /** A part of a corpus that gets a table of its own: `aftraj`, `who-and-when-ag`, `who-and-when-hc`, or what imported it. */
  readonly dataset: string;
  /** Only where the corpus has one. Nothing may be chosen on `test`. */
  readonly split?: 'train' | 'test' | undefined;
  /** Runs of one group share a task or a history: they are no independent evidence, and are resampled together. */
  readonly group: string;
}

/** What a scorer must know of a run, and an auditor must not. A predictions file keeps it, so that it can be scored alone. */
export interface Truth {
  readonly runId: string;
  readonly dataset: string;
  readonly domain?: string | undefined;
  readonly split?: 'train' | 'test' | undefined;
  readonly group: string;
  /** Turns of the whole run. */
  readonly turns: number;
  readonly label: RunLabel;
}

export function truthOf({ run, dataset, split, group }: BenchRun): Truth {
  const { runId, domain, turns, label } = run;
  return { runId, dataset, domain, split, group, turns: turns.length, label };
}
