import { z } from 'zod';
import { readOptions, toJsonValue } from '../../core/index.js';
import type { Judge } from '../judge/judge.js';
import { judgeSchema } from '../judge/judge-schema.js';
import type { Sample } from '../sample.js';
import type { Stage, StageDecision } from '../stage.js';
import { ArgumentSchemas } from './filter/argument-schemas.js';
import { coherenceOf } from './filter/coherence.js';
import { integrityOf } from './filter/integrity.js';

const optionsSchema = z.strictObject({
  judge: judgeSchema.optional(),
  codeTools: z.array(z.string()).default(['python_interpreter']),
  turnsPerQuestion: z.int().min(1).default(24),
  concurrency: z.int().min(1).default(8),
});

export interface FilterOptions {
  /** Of the coherence of turns. Without one, nobody asks about it, and the decision says so. */
  readonly judge?: Judge | undefined;
  /** Tools whose arguments are source text and no JSON, as smolagents and AFTraj have them. Default `["python_interpreter"]`. */
  readonly codeTools?: readonly string[] | undefined;
  /** Turns that one question of coherence asks about. Default 24. */
  readonly turnsPerQuestion?: number | undefined;
  /** Runs at once; how many questions, says the judge. Default 8. */
  readonly concurrency?: number | undefined;
}

type Ruling = Omit<StageDecision, 'id'>;

/**
 * Lets those successes through that may stand for "safe at every step", and labels them so: the outcome is right, every
 * tool call is valid, every turn is coherent. Asked in this order, the dearest last; the first that says no decides. Runs that
 * failed are no candidates, and pass as they are: they are for the stages that find or keep their errors.
 * @throws SetupError on an unknown or malformed option
 */
export function filterStage(options: FilterOptions = {}): Stage {
  const { judge, codeTools, turnsPerQuestion, concurrency } = readOptions('filter', optionsSchema, options);
  const schemas = new ArgumentSchemas();

  function integrity(sample: Sample): Ruling {
    const { faults, exceptions } = integrityOf(sample, codeTools, schemas);
    const [first] = faults;
    const allowance = exceptions.length > 0 ? `; ${exceptions.join('; ')}` : '';
    if (!first) return { rule: 'integrity', verdict: 'keep', reason: `every tool call is valid${allowance}` };
    return {
      rule: 'integrity',
      verdict: 'drop',
      reason: `step ${first.step}: ${first.fault}`,
      evidence: toJsonValue({ faults, exceptions }),
    };
  }

  async function coherence(sample: Sample, signal: AbortSignal): Promise<Ruling> {
    const rule = 'coherence';
    if (!judge) return { rule, verdict: 'keep', reason: 'not asked: there is no judge' };
    const { misaligned, replies } = await coherenceOf(sample, judge, turnsPerQuestion, signal);
    const evidence = toJsonValue(replies.map(({ answer, failure }) => (failure ? { failure } : answer)));
    const [first] = misaligned;
    if (first) {
      const reason = `step ${first.step} is not aligned with its sub-goal: ${first.reason}`;
      return { rule, verdict: 'drop', reason, evidence };
    }
    const failed = replies.flatMap(({ failure }) => (failure ? [failure] : []));
    if (failed[0]) {
      const reason = `${failed.length} of ${replies.length} questions failed: ${failed[0].kind}: ${failed[0].message}`;
      return { rule, verdict: 'undecided', reason, evidence };
    }
    return { rule, verdict: 'keep', reason: 'every turn is aligned with its sub-goal', evidence };
  }

  return {
    name: 'filter',
    options: { judge: judge?.name ?? null, codeTools, turnsPerQuestion },
    concurrency,
    async process(sample, signal) {
      const decisions: StageDecision[] = [];
      const passes = (ruling: Ruling) => {
        decisions.push({ id: sample.id, ...ruling });
        return ruling.verdict === 'keep';
      };
      if (isFailure(sample)) {
        passes({
          rule: 'filter',
          verdict: 'keep',
          reason: 'the run failed: it is no candidate for a safe one',
        });
        return { samples: [sample], decisions };
      }
      const isSafe =
        passes(outcome(sample)) && passes(integrity(sample)) && passes(await coherence(sample, signal));
      return { samples: isSafe ? [{ ...sample, label: { kind: 'safe' } }] : [], decisions };
    },
  };
}

function isFailure({ label, outcome }: Sample): boolean {
  return label ? label.kind === 'unsafe' : outcome?.value === 0;
}

function outcome({ label, outcome }: Sample): Ruling {
  const rule = 'outcome';
  if (outcome?.value === 0)
    return { rule, verdict: 'drop', reason: `labelled safe, but ${outcome.by} says: ${outcome.reason}` };
  if (outcome) return { rule, verdict: 'keep', reason: `${outcome.by}: ${outcome.reason}` };
  if (label) return { rule, verdict: 'keep', reason: 'the corpus labels it safe' };
  return { rule, verdict: 'drop', reason: 'nobody has said whether it succeeded' };
}
