import { styleText } from 'node:util';
import { isSameAgent } from '../../collectors/importers/speaker.js';
import type { CorpusQuirk } from '../../collectors/quirks/corpus-check.js';
import type { Quirk, RecordedRun } from '../../collectors/recorded-run.js';
import type { AuditedRun } from '../audited-run.js';
import { oneLine, padded } from '../terminal-text.js';
import { timeline } from '../timeline.js';
import type { LabelComparison } from './label-comparison.js';
import type { AuditSummary } from './report.js';

/** One run, whole: its timeline, its label if it has one, and what is odd about it. */
export function runAtLength(run: RecordedRun, audited: AuditedRun, width: number): string {
  const label = labelLine(run, audited);
  const recorded = recordedLine(run);
  return [
    styleText('bold', `${oneLine(run.runId, 80)}  ${styleText('dim', oneLine(run.source, width))}`),
    timeline(audited, width),
    ...(label === '' ? [] : [`  label  ${label}`]),
    ...(recorded === '' ? [] : [`  recorded  ${oneLine(recorded, width)}`]),
    ...run.quirks.map((quirk) => quirkLine(quirk, width)),
    '',
  ].join('\n');
}

function quirkLine({ code, step, detail }: Quirk, width: number): string {
  const place = step === undefined ? '' : ` at step ${step}`;
  return styleText('dim', `  quirk  ${oneLine(`${code}${place}: ${detail}`, width)}`);
}

/** One run on one line: what was said, how it compares with the label, and the reason as far as there is room. */
export function runInShort(run: RecordedRun, audited: AuditedRun, width: number): string {
  const verdict = audited.alarmed?.verdict;
  const label = labelLine(run, audited);
  const head = `${padded(oneLine(run.runId, 44), 44)} ${String(audited.steps.length).padStart(4)} turns  `;
  const compared = label === '' ? '' : styleText('dim', `  [${label}]`);
  if (verdict?.kind !== 'alarm') return `${head}${styleText('green', '✓ no alarm')}${compared}`;
  const alarm = `✗ step ${String(verdict.step).padStart(3)}  ${padded(oneLine(verdict.agent, 20), 20)}`;
  const room = width - head.length - alarm.length - label.length - 6;
  return `${head}${styleText('red', alarm)}${compared}  ${oneLine(verdict.reason, Math.max(48, room))}`;
}

const ENFORCED = {
  proceed: 'not enforced',
  halt: 'halted',
  pause: 'paused for a human',
  recover: 'went back to before it',
};

/** What was said when the run was recorded, which may be another auditor's word than this walk's. */
function recordedLine({ recorded }: RecordedRun): string {
  if (!recorded) return '';
  const { auditor, alarm, failures } = recorded;
  const failed = failures > 0 ? `, ${count(failures, 'failed audit')}` : '';
  if (!alarm) return `no alarm by ${auditor}${failed}`;
  const done = ENFORCED[alarm.enforced];
  return `alarm at step ${alarm.step} (${alarm.agent}) by ${auditor}, ${done}${failed}: ${alarm.reason}`;
}

function labelLine({ label }: RecordedRun, { alarmed }: AuditedRun): string {
  if (!label) return '';
  const alarm = alarmed?.verdict?.kind === 'alarm' ? alarmed.verdict : undefined;
  if (label.kind === 'safe') return alarm ? 'safe: false alarm' : 'safe: rightly left alone';
  const place = `${label.source ?? 'unsafe'}: step ${label.step}, ${oneLine(label.agent, 30)}`;
  if (!alarm) return `${place}: missed`;
  const agent = isSameAgent(alarm.agent, label.agent) ? 'same agent' : 'other agent';
  return alarm.step === label.step
    ? `${place}: exact step, ${agent}`
    : `${place}: ${Math.abs(alarm.step - label.step)} steps off, ${agent}`;
}

export function summaryText(summary: AuditSummary): string {
  const { files, runs, steps, alarms, failures, recordedAlarms, skipped, labels, quirks, corpusQuirks } =
    summary;
  const lines = [
    `${count(runs, 'run')} in ${count(files, 'file')}, ${count(steps, 'turn')}: ${count(alarms, 'alarm')}, ${count(failures, 'failed audit')}`,
  ];
  if (recordedAlarms > 0)
    lines.push(`when they were recorded: ${count(recordedAlarms, 'run')} with an alarm`);
  if (skipped > 0)
    lines.push(
      styleText('yellow', `${count(skipped, 'bad line or file', 'bad lines or files')} passed over`),
    );
  if (Object.keys(labels).length > 0) lines.push('', ...labelTable(labels));
  // A single run's quirks stand under its timeline.
  if (runs > 1 && Object.keys(quirks).length > 0) {
    lines.push('', styleText('bold', 'quirks (runs that show each)'));
    for (const [code, runsWithIt] of Object.entries(quirks))
      lines.push(`  ${code.padEnd(34)} ${String(runsWithIt).padStart(6)}`);
  }
  // Logs repeat their tasks all the time; in a labelled corpus that is worth knowing.
  if (corpusQuirks.length > 0 && Object.keys(labels).length > 0)
    lines.push('', styleText('bold', 'quirks across runs'), ...corpusLines(summary));
  return lines.join('\n');
}

const SHOWN_PER_CODE = 3;

function corpusLines({ corpusQuirks }: AuditSummary): string[] {
  const byCode = Map.groupBy(corpusQuirks, ({ code }) => code);
  return [...byCode].flatMap(([code, found]) => [
    `  ${code.padEnd(34)} ${String(found.length).padStart(6)}`,
    ...found.slice(0, SHOWN_PER_CODE).map(corpusLine),
    ...(found.length > SHOWN_PER_CODE
      ? [styleText('dim', `      … ${found.length - SHOWN_PER_CODE} more with --json`)]
      : []),
  ]);
}

function corpusLine({ runs, detail }: CorpusQuirk): string {
  const more = runs.length > 4 ? `, … (${runs.length})` : '';
  return styleText('dim', `      ${oneLine(`${runs.slice(0, 4).join(', ')}${more}: ${detail}`, 150)}`);
}

function labelTable(labels: AuditSummary['labels']): string[] {
  const head = [
    'first alarms against labels',
    'unsafe',
    'flagged',
    'exact',
    'agent',
    'shift',
    'safe',
    'false',
    'F1 paper',
    'F1 code',
  ];
  const rows = Object.entries(labels).map(([group, row]) => [group, ...cells(row)]);
  const widths = head.map((title, i) =>
    Math.max(title.length, ...rows.map((row) => (row[i] as string).length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, i) => (i === 0 ? cell.padEnd(widths[i] as number) : cell.padStart(widths[i] as number)))
      .join('  ');
  return [
    styleText('bold', line(head)),
    ...rows.map(line),
    styleText(
      'dim',
      'every prefix walked, first alarm final; step-exact; F1 in percent, as the paper defines it and as its released code does',
    ),
  ];
}

function cells({
  unsafeRuns,
  flagged,
  exactStep,
  exactAgent,
  meanShift,
  safeRuns,
  falseAlarms,
  exactF1Paper,
  exactF1Released,
}: LabelComparison): string[] {
  return [
    ...[unsafeRuns, flagged, exactStep, exactAgent].map(String),
    meanShift === null ? '-' : meanShift.toFixed(2),
    ...[safeRuns, falseAlarms].map(String),
    percent(exactF1Paper),
    percent(exactF1Released),
  ];
}

function percent(share: number | null): string {
  return share === null ? '-' : (share * 100).toFixed(1);
}

function count(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number.toLocaleString('en')} ${number === 1 ? noun : nouns}`;
}
