import { firstAlarm, type Prediction } from '../prediction.js';

/** What was said of a run's prefixes, told once at its end, as `post-hoc` has it: the first alarm, if there was any. */
export function toldInHindsight(prediction: Prediction): Prediction {
  const { truth, audits } = prediction;
  const ms = audits.reduce((sum, audit) => sum + audit.ms, 0);
  const alarm = firstAlarm(prediction);
  if (!alarm)
    return { truth, audits: [{ step: truth.turns - 1, verdict: { kind: 'continue' }, ms, calls: [] }] };
  const { raisedAt: _, ...blame } = alarm;
  return { truth, audits: [{ step: truth.turns - 1, verdict: { kind: 'alarm', ...blame }, ms, calls: [] }] };
}
