import { firstAlarm, type Thresholds } from '../../core/index.js';
import type { PredictedAudit, Prediction } from '../prediction.js';
import type { ScoredPrediction } from './scored-prediction.js';

/** Nobody is named where a Continue's score is too high: a prediction does not tell who had spoken. */
const UNNAMED = 'unnamed';

/**
 * What a walk would have said, had thresholds on the score decided in place of the auditor's own word. It ends with the first alarm.
 * Its agents are not to be scored.
 */
export function underThresholds(
  { audits }: Prediction,
  { truth, scores }: ScoredPrediction,
  thresholds: Thresholds,
): Prediction {
  const alarm = firstAlarm(scores, thresholds);
  const until = alarm ? audits.filter(({ step }) => step <= alarm.step) : audits;
  return {
    truth,
    audits: until.map((audit): PredictedAudit => {
      const { verdict } = audit;
      if (!verdict) return audit;
      const { score } = verdict;
      if (audit.step !== alarm?.step) return { ...audit, verdict: { kind: 'continue', score } };
      const agent = verdict.kind === 'alarm' ? verdict.agent : UNNAMED;
      const reason = `the score ${score} exceeds its threshold`;
      return { ...audit, verdict: { kind: 'alarm', step: alarm.blames, agent, reason, score } };
    }),
  };
}
