import type { WalkSummary } from '../../../bench/walk-tally.js';
import { count, duration, whole } from '../../figures.js';
import { oneLine } from '../../terminal-text.js';

export interface WalkHeadline {
  readonly auditor: string;
  readonly protocol: string;
  readonly out: string;
}

const LONGEST_NAME = 200;

/** A walk in a few lines. */
export function walkText(summary: WalkSummary, { auditor, protocol, out }: WalkHeadline): string {
  const { runs, resumed, alarms, audits, requests, tokens, latencyMs, seconds, requestsPerSecond } = summary;
  const lines: (readonly [string, string])[] = [
    ['walked', `${count(runs, 'run')}, ${protocol}, by ${oneLine(auditor, LONGEST_NAME)}${earlier(resumed)}`],
    ['audits', `${whole(audits)}; ${count(alarms, 'run')} with an alarm${failed(summary)}`],
  ];
  if (requests > 0) {
    const { input, cachedInput, output } = tokens;
    const speed = requestsPerSecond > 0 ? `, ${requestsPerSecond.toFixed(1)}/s` : '';
    lines.push(
      ['requests', `${whole(requests)}${speed}`],
      ['tokens', `${whole(input)} in, of them ${whole(cachedInput)} cached; ${whole(output)} out`],
    );
  }
  if (latencyMs) {
    const { median, p95 } = latencyMs;
    lines.push(['per audit', `${duration(median)} median, ${duration(p95)} at 95 %`]);
  }
  lines.push(['took', duration(seconds * 1_000)], ['written to', oneLine(out, LONGEST_NAME)]);
  return lines.map(([what, told]) => `${what.padEnd(11)} ${told}`).join('\n');
}

function earlier(resumed: number): string {
  return resumed === 0 ? '' : `; ${whole(resumed)} of them stood in the file`;
}

function failed({ failures, failedRuns }: WalkSummary): string {
  const kinds = Object.entries(failures).map(([kind, number]) => `${whole(number)} ${kind}`);
  return kinds.length === 0 ? '' : `; failed: ${kinds.join(', ')}, in ${count(failedRuns, 'run')}`;
}
