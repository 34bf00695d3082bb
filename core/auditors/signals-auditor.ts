import { z } from 'zod';
import type { Auditor } from '../auditor.js';
import { SetupError } from '../errors.js';
import type { Prefix } from '../prefix.js';
import type { ToolSpec } from '../run-info.js';
import { everyTurn } from '../schedule.js';
import type { Verdict } from '../verdict.js';
import { evidence } from './signals/evidence.js';
import {
  type CheckContext,
  type CheckName,
  checkNames,
  checks,
  type Finding,
  type Grade,
} from './signals/index.js';

const optionsSchema = z.strictObject({
  /** Checks that raise an alarm beside the five strong ones, which always do. */
  alarmOn: z
    .array(z.enum(checkNames, { error: (issue) => `there is no check ${JSON.stringify(issue.input)}` }))
    .readonly()
    .optional(),
  /** How many turns a run may take. Set, it makes `step-budget-nearly-used` speak. */
  stepBudget: z.int().positive().optional(),
  /** Gives every verdict a score, from the findings of all checks, for thresholds to be calibrated on. Default: false. */
  scored: z.boolean().default(false),
});

export type SignalsAuditorOptions = Readonly<z.input<typeof optionsSchema>>;

/**
 * An auditor without a model or a key: it flags visible symptoms, in process, in well under a millisecond per ordinary turn.
 * It does not judge correctness, and it is not validated for error localisation: on natural failures it named the
 * decisive step in 0 of 55 (AFTraj-2K test) and 0 of 331 (training rows).
 *
 * | strong checks, every prefix walked, first fire final | share of failed runs flagged | exact | healthy runs flagged |
 * |---|---|---|---|
 * | `contradicts-pass` | 7.6 % | 96 % | 0.0 % |
 * | `broken-after-pass` | 2.6 % | 100 % | 0.0 % |
 * | `unproduced-expectation` | 3.8 % | 94 % | 0.7 % |
 * | `misquotes-result` | 21.1 % | 80 % | 1.9 % |
 * | `skips-verification` | 8.6 % | 100 % | 0.0 % |
 * | together | 43.6 % | 89 % | 2.6 % |
 *
 * AFTraj-2K, 1,944 training rows, on which the checks were tuned. All of the exact hits are injected failures, many of
 * which share a handful of phrasings. On Who&When the same checks flag 79 of 184 runs, 12 of them exactly.
 *
 * With `scored`, its name is `signals-scored`, and every verdict carries the {@link evidence} of the newest turn. What it
 * says stays the same; a calibration's thresholds then decide instead. Under one, put into `alarmOn` what shall come with a
 * step and a reason of its own.
 */
export function signalsAuditor(options: SignalsAuditorOptions = {}): Auditor {
  const { alarmOn = [], stepBudget, scored } = validated(options);
  const alarming = checks.filter(({ name, grade }) => grade === 'strong' || alarmOn.includes(name));
  const verdictOn = (prefix: Prefix, context: CheckContext): Verdict => {
    for (const check of alarming) {
      const finding = check.find(prefix, context);
      if (finding) return { kind: 'alarm', ...finding, reason: `[${check.name}] ${finding.reason}` };
    }
    return { kind: 'continue' };
  };
  return {
    name: scored ? 'signals-scored' : 'signals',
    schedule: everyTurn(),
    audit({ prefix, tools }) {
      const verdict = verdictOn(prefix, { tools, stepBudget });
      if (!scored) return verdict;
      const found = inspect(prefix, { tools, stepBudget });
      return { ...verdict, score: evidence(found.map(({ check }) => check)) };
    },
  };
}

export type { CheckName };

/** A finding as a note beside a verdict. */
export interface Note extends Finding {
  readonly check: CheckName;
  readonly grade: Grade;
}

/** What is known of the run beside its turns. */
export interface InspectOptions {
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly stepBudget?: number | undefined;
}

/** Everything that any check, of whatever grade, finds at the newest turn. Facts to show; only some deserve an alarm. */
export function inspect(prefix: Prefix, { tools = [], stepBudget }: InspectOptions = {}): readonly Note[] {
  const context: CheckContext = { tools, stepBudget };
  return checks.flatMap(({ name, grade, find }) => {
    const finding = find(prefix, context);
    return finding ? [{ check: name, grade, ...finding }] : [];
  });
}

function validated(options: SignalsAuditorOptions) {
  const parsed = optionsSchema.safeParse(options);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue?.path.join('.') || 'the options';
    const remedy = `alarmOn takes any of ${checkNames.join(', ')}; stepBudget a number of turns`;
    throw new SetupError('signals', `${place}: ${issue?.message}`, remedy, { cause: parsed.error });
  }
  const { alarmOn, stepBudget } = parsed.data;
  if (alarmOn?.includes('step-budget-nearly-used') && stepBudget === undefined) {
    throw new SetupError(
      'signals',
      'alarmOn names step-budget-nearly-used, and there is no budget',
      'Set stepBudget',
    );
  }
  return parsed.data;
}
