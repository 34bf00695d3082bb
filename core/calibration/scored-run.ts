/** What an auditor said of one prefix, as a number. */
export interface StepScore {
  /** 0-based index of the prefix's newest turn. */
  readonly step: number;
  /** P(alarm), 0 to 1. */
  readonly score: number;
}

/** A healthy run, as far as calibrating needs to know it. */
export interface ScoredRun {
  /** Runs of one task stay together: they are no independent evidence. */
  readonly task: string;
  /** In order of steps. */
  readonly scores: readonly StepScore[];
  /** An alarm ended the asking, so that later scores are missing. Counts as above any threshold. */
  readonly endedByAlarm?: boolean | undefined;
}
