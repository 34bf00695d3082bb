import { z } from 'zod';
import { readOptions, SetupError, toJsonValue } from '../../core/index.js';
import { firstScore } from '../scorers/first-score.js';
import type { Scorer } from '../scorers/scorer.js';
import type { Stage, StageDecision } from '../stage.js';

const optionsSchema = z.strictObject({
  scorers: z
    .array(
      z.custom<Scorer>((value) => typeof (value as Scorer | null)?.score === 'function', {
        error: 'expected a scorer, such as mathScorer()',
      }),
    )
    .min(1),
  concurrency: z.int().min(1).default(4),
});

export interface OutcomeOptions {
  /** Asked in this order; the first that a sample is for decides. */
  readonly scorers: readonly Scorer[];
  /** Samples at once. Default 4. */
  readonly concurrency?: number | undefined;
}

/**
 * Says of every run whether it did what its task asked. Nothing is dropped here: a sample that no scorer is for keeps the
 * outcome that it has, or none; one whose scorer fails waits.
 * @throws SetupError on an unknown or malformed option
 */
export function outcomeStage(options: OutcomeOptions): Stage {
  const { scorers, concurrency } = readOptions('outcome', optionsSchema, options);
  const names = scorers.map(({ name }) => name);
  if (new Set(names).size < names.length)
    throw new SetupError('outcome', `two scorers have one name: ${names.join(', ')}`, 'Name them apart');
  return {
    name: 'outcome',
    options: { scorers: scorers.map(({ name, options }) => ({ name, options })) },
    concurrency,
    async process(sample, signal) {
      const decision = (verdict: StageDecision['verdict'], reason: string, evidence?: unknown) => ({
        id: sample.id,
        rule: 'outcome',
        verdict,
        reason,
        ...(evidence !== undefined && { evidence: toJsonValue(evidence) }),
      });
      const scored = await firstScore(scorers, sample, signal);
      if (!scored) return { samples: [sample], decisions: [decision('keep', 'no scorer is for it')] };
      const { by, score } = scored;
      if (score.failure) {
        const { kind, message } = score.failure;
        return { samples: [], decisions: [decision('undecided', `${by}: ${kind}: ${message}`)] };
      }
      const { value, reason, evidence } = score;
      return {
        samples: [{ ...sample, outcome: { value, by, reason } }],
        decisions: [decision('keep', `${by}: ${value}: ${reason}`, evidence)],
      };
    },
  };
}
