import { styleText } from 'node:util';
import type { CallCost } from '../call-cost.js';
import { count, duration, knownMoney, money, percent, whole } from '../figures.js';
import { table } from '../table.js';
import { oneLine, padded } from '../terminal-text.js';
import type { WouldHalt } from './alarm-tally.js';
import { headline, spared } from './headline.js';
import type { ReportSummary } from './report-tally.js';
import { endingsIn } from './run-chains.js';

const SHOWN_ALARMS = 20;
const SHOWN_AGENTS = 10;
const LONGEST_NAME = 32;

/** The report for a terminal, what matters most first. @param width in columns */
export function reportText(summary: ReportSummary, width: number): string {
  return [
    opening(summary),
    wouldHalts(summary, width),
    endings(summary),
    audits(summary),
    failures(summary, width),
    calls(summary),
    opinions(summary),
    scores(summary),
    auditors(summary),
    agents(summary),
  ]
    .filter((part) => part.length > 0)
    .map((part) => part.join('\n'))
    .join('\n\n');
}

function opening(summary: ReportSummary): string[] {
  const { files, from, until, logged, skipped } = summary;
  const period = from && until ? `, begun from ${minute(from)} to ${minute(until)}` : '';
  const more = [
    logged.continuations > 0 ? `${whole(logged.continuations)} of them continue others` : '',
    logged.incomplete > 0 ? `${whole(logged.incomplete)} lack some of their lines` : '',
  ].filter((part) => part !== '');
  const runs = `${count(logged.runs, 'run')} in ${count(files, 'file')}${period}`;
  const lines = [styleText('bold', headline(summary)), [runs, ...more].join('; ')];
  if (skipped > 0)
    lines.push(
      styleText('yellow', `${count(skipped, 'bad line or file', 'bad lines or files')} passed over`),
    );
  return lines;
}

function minute(iso: string): string {
  return iso.slice(0, 16).replace('T', ' ');
}

function wouldHalts(summary: ReportSummary, width: number): string[] {
  const all = summary.wouldHalts;
  if (all.length === 0) return [];
  const more =
    all.length > SHOWN_ALARMS
      ? [styleText('dim', `… ${whole(all.length - SHOWN_ALARMS)} more with --json or --html`)]
      : [];
  const after = spared(summary);
  return [
    ...all.slice(0, SHOWN_ALARMS).flatMap((would) => alarmLines(would, width)),
    ...more,
    ...(after === undefined ? [] : ['', after]),
  ];
}

function alarmLines(would: WouldHalt, width: number): string[] {
  const { runId, step, agent, reason, score, raisedAtStep, turnsAfter, msAfter, ended } = would;
  const facts = [
    raisedAtStep === step ? '' : `raised at step ${raisedAtStep}`,
    score === null ? '' : `score ${score.toFixed(2)}`,
    turnsAfter === 0 ? '' : `${count(turnsAfter, 'turn')} and ${duration(msAfter)} followed`,
    ended,
  ].filter((fact) => fact !== '');
  const place = `step ${String(step).padStart(3)}  ${padded(oneLine(agent, 20), 20)}`;
  return [
    `${styleText('red', '✗')} ${padded(oneLine(runId, 36), 36)}  ${place}  ${styleText('dim', facts.join(', '))}`,
    `    ${oneLine(reason, width - 4)}`,
  ];
}

function endings({ alarms }: ReportSummary): string[] {
  const { alarmed, others } = alarms.endings;
  const kinds = endingsIn(alarmed, others);
  if (kinds.length === 0) return [];
  const row = (title: string, counts: typeof alarmed) => [
    title,
    ...kinds.map((kind) => whole(counts[kind] ?? 0)),
  ];
  return table(['how runs ended', ...kinds], [row('with an alarm', alarmed), row('others', others)]);
}

function audits({ audits, turns }: ReportSummary): string[] {
  const { verdicts, failures, latency, auditMs, runMs } = audits;
  const failed = failures.reduce((sum, { audits: number }) => sum + number, 0);
  const share = runMs > 0 ? `, ${percent(auditMs / runMs)} of the runs' time` : '';
  const missed = turns.missed > 0 ? styleText('yellow', `, ${whole(turns.missed)} due and missed`) : '';
  return [
    styleText('bold', `${count(verdicts, 'verdict')}, ${count(failed, 'failed audit')}`),
    `  each took ${duration(latency.median)} (median), ${duration(latency.p95)} (95 %), ${duration(latency.max)} at most; together ${duration(auditMs)}${share}`,
    `  of ${count(turns.turns, 'turn')}: ${whole(turns.audited)} audited, ${whole(turns.passedOver)} passed over by the schedule, ${whole(turns.afterAlarm)} after an alarm${missed}`,
  ];
}

function failures({ audits }: ReportSummary, width: number): string[] {
  if (audits.failures.length === 0) return [];
  return [
    styleText('bold', 'failed audits'),
    ...audits.failures.map(({ kind, audits: number, message }) => {
      const head = `  ${kind.padEnd(14)}${whole(number).padStart(7)}  `;
      return `${head}${styleText('dim', oneLine(message, Math.max(40, width - head.length)))}`;
    }),
  ];
}

function calls({ cost, alarms, turns }: ReportSummary): string[] {
  if (cost.calls === 0) return [];
  const row = (title: string, of: CallCost) => [
    title,
    whole(of.calls),
    whole(of.failed),
    whole(of.inputTokens),
    whole(of.cachedInputTokens),
    whole(of.outputTokens),
    knownMoney(of),
  ];
  const candidates = cost.byAuditor.filter(({ isShadow }) => isShadow);
  const { cuts, perRun } = cost;
  return [
    ...table(
      ['model calls', 'calls', 'failed', 'tokens in', 'cached', 'tokens out', 'cost'],
      [
        ...cost.byPurpose.map((of) => row(of.purpose, of)),
        row('all', cost),
        ...candidates.map((of) => row(`of them, ${oneLine(of.auditor, LONGEST_NAME)} (candidate)`, of)),
      ],
    ),
    `  a run ${knownMoney({ ...cost, cost: cost.cost / Math.max(1, alarms.runs) })}, a turn ${knownMoney({ ...cost, cost: cost.cost / Math.max(1, turns.turns) })} on average; a run ${money(perRun.median ?? 0)} (median), ${money(perRun.max ?? 0)} at most`,
    ...(cuts.audits === 0
      ? []
      : [
          `  ${count(cuts.audits, 'prompt')} left something out; the worst ${whole(cuts.mostTokens)} tokens of ${count(cuts.mostTurns, 'turn')}`,
        ]),
  ];
}

function opinions({ opinions }: ReportSummary): string[] {
  if (opinions.length === 0) return [];
  const rows = opinions.map((of) => [
    `${oneLine(of.auditor, LONGEST_NAME)}${of.isShadow ? ' (candidate)' : ''}`,
    whole(of.asked),
    whole(of.alarms),
    whole(of.failures),
    percent(of.asked === 0 ? null : of.agreed / of.asked),
    `${whole(of.sameStep)}/${whole(of.bothAlarm)}`,
    duration(of.medianLatency),
  ]);
  return table(['opinions', 'asked', 'alarms', 'failed', 'agreed', 'same step', 'median'], rows);
}

const BLOCKS = ' ▁▂▃▄▅▆▇█';

function scores({ scores }: ReportSummary): string[] {
  if (scores.scored === 0) return [];
  const all = scores.continues.map((number, bin) => number + (scores.alarms[bin] ?? 0));
  const most = Math.max(...all);
  const bars = all.map((number) => BLOCKS[Math.ceil((number / most) * 8)]).join('');
  const told = [scores.median, scores.p95, scores.max].map((score) => score?.toFixed(3) ?? '-');
  return [
    styleText('bold', `scores of ${count(scores.scored, 'verdict')}`),
    `  0 │${bars}│ 1   median ${told[0]}, 95 % ${told[1]}, at most ${told[2]}`,
  ];
}

function auditors({ byAuditor }: ReportSummary): string[] {
  if (byAuditor.length < 2) return [];
  const rows = byAuditor.map(({ auditor, audits, alarms, failures, medianLatency }) => [
    oneLine(auditor, LONGEST_NAME),
    ...[audits, alarms, failures].map(whole),
    duration(medianLatency),
  ]);
  return table(['auditor', 'audits', 'alarms', 'failed', 'median'], rows);
}

function agents({ byAgent }: ReportSummary): string[] {
  if (byAgent.length === 0) return [];
  const rows = byAgent
    .slice(0, SHOWN_AGENTS)
    .map(({ agent, turns, blamed }) => [oneLine(agent, LONGEST_NAME), whole(turns), whole(blamed)]);
  const more = byAgent.length - SHOWN_AGENTS;
  return [
    ...table(['agent', 'turns', 'blamed'], rows),
    ...(more > 0 ? [styleText('dim', `… ${whole(more)} more with --json`)] : []),
  ];
}
