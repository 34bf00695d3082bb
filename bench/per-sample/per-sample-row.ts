import { z } from 'zod';
import { validate } from '../../collectors/importers/validate.js';
import type { RunLabel } from '../../collectors/recorded-run.js';
import { InputError, type InputLocation, type Verdict } from '../../core/index.js';
import type { PredictedAudit, Prediction } from '../prediction.js';

const rowSchema = z.object({
  conv_id: z.string().min(1),
  domain: z.string().optional(),
  label: z.enum(['safe', 'unsafe']),
  gt_step: z.int().min(-1),
  pred_step: z.int().min(-1),
  pred_agent: z.string().nullish(),
  pred_reason: z.string().nullish(),
  format_valid: z.boolean(),
  detection_step: z.int().min(-1),
  num_turns: z.int().positive(),
  num_calls: z.int().positive(),
  gen_time_s: z.number().nonnegative().optional(),
});

type PerSampleRow = z.infer<typeof rowSchema>;

/**
 * What a row tells of one run's walk. Replies before the last one are known not to have alarmed; whether they were valid
 * is not told, and they count as Continues, as they did for the harness. An invalid last reply is a failure here. The time
 * of a run is shared out evenly among its calls.
 * @throws InputError for a row that contradicts itself or the protocol
 */
export function predictionIn(value: unknown, at: InputLocation, split: 'test' | undefined): Prediction {
  const row = validate(rowSchema, value, at);
  requireProtocol(row, at);
  const { conv_id: runId, domain, num_turns: turns } = row;
  // Without the corpus it is not known which runs share a task.
  const truth = { runId, dataset: 'aftraj', domain, split, group: runId, turns, label: labelOf(row) };
  return { truth, audits: auditsOf(row) };
}

/** The file does not say who made the mistake, and a label without a name is `''`: no agent is right or wrong then. */
function labelOf({ label, gt_step: step }: PerSampleRow): RunLabel {
  return label === 'safe' ? { kind: 'safe' } : { kind: 'unsafe', step, agent: '' };
}

function auditsOf(row: PerSampleRow): readonly PredictedAudit[] {
  const { label, num_turns: turns, num_calls: calls, gen_time_s: seconds = 0 } = row;
  const first = label === 'safe' ? turns - 1 : 0;
  return Array.from({ length: calls }, (_, call) => ({
    step: first + call,
    ...(call === calls - 1 ? lastResult(row) : { verdict: { kind: 'continue' } }),
    ms: (1_000 * seconds) / calls,
    calls: [],
  }));
}

function lastResult(row: PerSampleRow): Pick<PredictedAudit, 'verdict' | 'failure'> {
  const { pred_step: step, pred_agent: agent, pred_reason: reason, format_valid: isValid } = row;
  if (step < 0 && !isValid)
    return { failure: { kind: 'invalid', message: 'the harness could not read the reply, and went on' } };
  const verdict: Verdict =
    step < 0 ? { kind: 'continue' } : { kind: 'alarm', step, agent: agent ?? '', reason: reason ?? '' };
  return { verdict };
}

function requireProtocol(row: PerSampleRow, at: InputLocation): void {
  const { label, gt_step, pred_step, detection_step, num_turns, num_calls } = row;
  const refuse = (field: string, what: string) => {
    throw new InputError({ ...at, field }, what, 'Write the file again with the released harness');
  };
  if (label === 'safe' && gt_step !== -1)
    refuse('gt_step', `a safe run has no decisive error, and here it is ${gt_step}`);
  if (label === 'unsafe' && (gt_step < 0 || gt_step >= num_turns))
    refuse('gt_step', `step ${gt_step} of an unsafe run with ${num_turns} turns`);
  if (label === 'safe' && num_calls !== 1)
    refuse('num_calls', `the harness asks once of a safe run, and here it is ${num_calls} times`);
  if (num_calls > num_turns) refuse('num_calls', `${num_calls} calls for a run of ${num_turns} turns`);
  if (pred_step >= num_turns) refuse('pred_step', `step ${pred_step} of a run with ${num_turns} turns`);
  if (label === 'unsafe' && pred_step >= 0 && detection_step !== num_calls - 1)
    refuse(
      'detection_step',
      `the alarm ends the walk, and came at step ${detection_step} of ${num_calls} calls`,
    );
}
