import fc from 'fast-check';
import type { Prediction } from '../../../bench/prediction.js';
import type { Predictions, PredictionsHeader } from '../../../bench/predictions-file.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import { unsafe } from './predictions.js';

export interface ScoredRun {
  readonly label?: RunLabel;
  readonly group?: string;
  readonly split?: 'train' | 'test';
  readonly dataset?: string;
  /** At steps 0, 1, 2 …; null for a failed audit. Blamed is the newest step. */
  readonly scores: readonly (number | null)[];
}

export function scoredRun(runId: string, run: ScoredRun): Prediction {
  const { label = { kind: 'safe' }, group = runId, split, dataset = 'corpus', scores } = run;
  return {
    truth: { runId, dataset, group, split, turns: Math.max(1, scores.length), label },
    audits: scores.map((score, step) => ({
      step,
      ms: 1,
      calls: [],
      ...(score === null
        ? { failure: { kind: 'deadline' as const, message: 'too late' } }
        : { verdict: { kind: 'continue' as const, score } }),
    })),
  };
}

export function predictionsOf(
  predictions: readonly Prediction[],
  header: Partial<PredictionsHeader> = {},
): Predictions {
  return {
    header: {
      type: 'predictions',
      v: 1,
      auditor: 'judge',
      protocol: 'strict',
      toEnd: true,
      schedule: 'every',
      auditorDigest: 'abc',
      datasets: ['corpus'],
      createdAt: '2026-01-01T00:00:00.000Z',
      ...header,
    },
    predictions,
  };
}

/** Few different scores, so that there are many ties; some blame an earlier step, some audits fail. */
export const anyPredictions: fc.Arbitrary<readonly Prediction[]> = fc
  .array(
    fc.record({
      error: fc.option(fc.nat(5), { nil: undefined }),
      source: fc.constantFrom('injected' as const, 'natural' as const, undefined),
      audits: fc.array(
        fc.record({
          score: fc.constantFrom(0, 0.1, 0.25, 0.5, 0.75, 0.9, 1),
          blames: fc.nat(6),
          how: fc.nat(9),
        }),
        { minLength: 6, maxLength: 6 },
      ),
    }),
    { minLength: 1, maxLength: 15 },
  )
  .map((runs) =>
    runs.map(({ error, source, audits }, at) => {
      const label = error === undefined ? undefined : unsafe(error, 'Solver', source);
      const run = scoredRun(`run-${at}`, {
        ...(label && { label }),
        scores: audits.map(({ score, how }) => (how === 0 ? null : score)),
      });
      return {
        ...run,
        audits: run.audits.map((audit) => {
          const { score = 0, blames = 0, how = 0 } = audits[audit.step] ?? {};
          if (!audit.verdict || how > 4) return audit;
          const step = Math.min(blames, audit.step);
          return {
            ...audit,
            verdict: { kind: 'alarm' as const, step, agent: 'Solver', reason: 'wrong', score },
          };
        }),
      };
    }),
  );
