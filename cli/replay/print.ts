import { styleText } from 'node:util';
import type { Alarm, Verdict } from '../../core/index.js';
import { count, duration, knownMoney, whole } from '../figures.js';
import type { ReAuditedRun } from '../re-audit.js';
import { table } from '../table.js';
import { oneLine, padded } from '../terminal-text.js';
import { ANSWERS, type AuditComparison, CHANGES, type Change } from './compare-audits.js';
import type { AuditCost, ReplaySummary } from './replay-tally.js';

const TITLES: Record<Change, string> = {
  same: 'same',
  'new-alarm': 'new alarm',
  'lost-alarm': 'lost alarm',
  'other-step': 'other step',
  'other-agent': 'other agent',
  failed: 'failed audit',
};

/** A run whose verdict has changed, on one line. */
export function changeLine(
  { run, audits }: ReAuditedRun,
  comparison: AuditComparison,
  width: number,
): string {
  const { change, before, now } = comparison;
  const head = `${padded(oneLine(run.runId, 36), 36)}  ${padded(TITLES[change], 12)}  `;
  const alarms = [before && `was ${place(before)}`, now && `now ${place(now)}`].filter(Boolean).join(', ');
  const failure = audits.failures[0]?.failure;
  const why =
    change === 'failed' && failure ? `${failure.kind}: ${failure.message}` : (now ?? before)?.reason;
  const line = `${head}${oneLine([alarms, why].filter(Boolean).join(': '), Math.max(48, width - head.length))}`;
  return styleText(change === 'new-alarm' ? 'red' : 'yellow', line);
}

function place({ step, agent }: Alarm & Verdict): string {
  return `step ${step} (${agent})`;
}

export function summaryText(summary: ReplaySummary): string {
  const { auditor, runs, resumed, unaudited, changes, alarmsBefore, alarmsNow, skipped } = summary;
  const taken = resumed > 0 ? `, ${whole(resumed)} of them from the log` : '';
  const lines = [
    styleText('bold', `${count(runs, 'run')} replayed with ${oneLine(auditor, 40)}${taken}`),
    `alarms: ${whole(alarmsBefore)} before, ${whole(alarmsNow)} now`,
  ];
  const compared = runs - unaudited;
  if (compared > 0)
    lines.push(CHANGES.map((change) => `${TITLES[change]} ${whole(changes[change])}`).join(', '));
  if (unaudited > 0)
    lines.push(`${count(unaudited, 'run')} without a recorded audit: nothing to compare with`);
  if (skipped > 0)
    lines.push(
      styleText('yellow', `${count(skipped, 'bad line or file', 'bad lines or files')} passed over`),
    );
  lines.push(...agreementLines(summary), ...failureLines(summary), '', ...costLines(summary));
  return lines.join('\n');
}

function agreementLines({ agreement, onlyBefore, onlyNow, scoreShift }: ReplaySummary): string[] {
  const both = ANSWERS.flatMap((before) => ANSWERS.map((now) => agreement[before][now]));
  const total = both.reduce((sum, part) => sum + part, 0);
  if (total === 0) return [];
  const rows = ANSWERS.map((before) => [
    `was ${before}`,
    ...ANSWERS.map((now) => whole(agreement[before][now])),
  ]);
  const shift = scoreShift
    ? [
        `score: ${signed(scoreShift.mean)} on average, ${scoreShift.meanAbsolute.toFixed(3)} either way, over ${count(scoreShift.turns, 'turn')}`,
      ]
    : [];
  return [
    '',
    ...table([`${count(total, 'turn')} that both judged`, ...ANSWERS.map((now) => `now ${now}`)], rows),
    `only then: ${count(onlyBefore, 'turn')}; only now: ${count(onlyNow, 'turn')}`,
    ...shift,
  ];
}

function signed(shift: number): string {
  return `${shift < 0 ? '' : '+'}${shift.toFixed(3)}`;
}

function failureLines({ failures }: ReplaySummary): string[] {
  const kinds = Object.entries(failures).map(([kind, number]) => `${kind} ${whole(number)}`);
  return kinds.length === 0 ? [] : ['', styleText('yellow', `failed audits: ${kinds.join(', ')}`)];
}

function costLines({ costBefore, costNow }: ReplaySummary): string[] {
  const row = (title: string, cost: AuditCost) => [
    title,
    whole(cost.audits),
    duration(cost.audits === 0 ? null : cost.durationMs / cost.audits),
    whole(cost.calls),
    whole(cost.inputTokens),
    whole(cost.outputTokens),
    knownMoney(cost),
  ];
  const head = ['', 'audits', 'each', 'model calls', 'tokens in', 'tokens out', 'cost'];
  return table(head, [row('recorded', costBefore), row('replayed', costNow)]);
}
