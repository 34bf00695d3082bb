import { hash } from 'node:crypto';
import { InputError, type StepScore } from '../../core/index.js';
import type { Truth } from '../bench-run.js';
import type { Prediction } from '../prediction.js';

/** A score, and the step that its alarm would blame: the auditor's own choice, else the newest turn's. */
export interface BlamingScore extends StepScore {
  readonly blames: number;
}

/** What was said of a run at every prefix that was asked about, as numbers. */
export interface ScoredPrediction {
  readonly truth: Truth;
  /** In the order of steps. Failed audits have none. */
  readonly scores: readonly BlamingScore[];
}

/** @throws InputError at a verdict that says no number */
export function scoredPrediction({ truth, audits }: Prediction, file: string): ScoredPrediction {
  const scores = audits.flatMap(({ step, verdict }) => {
    if (!verdict) return [];
    if (verdict.score === undefined)
      throw new InputError(
        { file },
        `has a verdict without a score, at step ${step} of ${JSON.stringify(truth.runId)}`,
        'Walk with an auditor that gives scores, such as the signals auditor with "scored": true',
      );
    return [{ step, score: verdict.score, blames: verdict.kind === 'alarm' ? verdict.step : step }];
  });
  return { truth, scores };
}

/** Of all that an operating point's figures depend on, whatever the order of the runs: SHA-256, in hexadecimal. */
export function digestOf(runs: readonly ScoredPrediction[]): string {
  const lines = runs.map(({ truth: { runId, dataset, label }, scores }) => {
    const error = label.kind === 'unsafe' ? label.step : null;
    return JSON.stringify([
      dataset,
      runId,
      error,
      scores.map(({ step, score, blames }) => [step, score, blames]),
    ]);
  });
  return hash('sha256', lines.sort().join('\n'));
}
