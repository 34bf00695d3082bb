import { count, duration, percent, whole } from '../figures.js';
import type { ReportSummary } from './report-tally.js';

/** `3 of 41 runs would have been halted: 7.3 % (95 % interval 1.5 to 19.9 %)` */
export function headline({ alarms, policies }: ReportSummary): string {
  const { runs, alarmed, rate, interval } = alarms;
  if (runs === 0 || !interval) return 'no runs';
  const range = `95 % interval ${(interval.low * 100).toFixed(1)} to ${percent(interval.high)}`;
  return `${whole(alarmed)} of ${count(runs, 'run')} ${whatBefell(policies)}: ${percent(rate)} (${range})`;
}

/** What an alarm meant to the runs of this log. */
export function whatBefell(policies: ReportSummary['policies']): string {
  const isObserved = 'observe' in policies;
  const isEnforced = Object.keys(policies).some((policy) => policy !== 'observe');
  if (isObserved && isEnforced) return 'were stopped, or would have been';
  return isObserved ? 'would have been halted' : 'were stopped by an alarm';
}

/** What came after the alarms, if anything did. */
export function spared({ alarms }: ReportSummary): string | undefined {
  const { turnsAfter, msAfter, tokensAfter } = alarms;
  if (turnsAfter === 0) return undefined;
  const tokens = tokensAfter === 0 ? '' : `, ${count(tokensAfter, 'token')} of the agents' models`;
  return `a halt at each alarm would have spared ${count(turnsAfter, 'turn')}, ${duration(msAfter)}${tokens}`;
}
