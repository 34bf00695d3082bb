import { styleText } from 'node:util';
import type { Protocol } from '../../../bench/protocol.js';
import type { Share } from '../../../bench/score/evidence.js';
import type { Score } from '../../../bench/score/run-score.js';
import type { DatasetScore } from '../../../bench/score.js';
import type { Estimate } from '../../../collectors/first-alarms/estimate.js';
import { count, duration, whole } from '../../figures.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal-text.js';
import type { Scorable } from './read-scorable.js';

/** A predictions file and its scores. */
export type ScoredFile = Omit<Scorable, 'predictions' | 'isForeign'> & {
  readonly scores: readonly DatasetScore[];
};

const LONGEST_NAME = 32;

const ASKED: Record<Protocol, string> = {
  strict: 'every prefix of every run; FAR is the chance that a healthy run gets halted',
  official:
    'every prefix of unsafe runs, but of safe ones the whole alone: FAR is not the chance that a healthy run gets halted',
  'post-hoc': 'of every run the whole alone: nothing that could halt a run',
};

/** @param width in columns */
export function scoresText(
  { file, auditor, backbone, protocol, remarks, scores }: ScoredFile,
  width: number,
) {
  const who = [`auditor ${oneLine(auditor, 60)}`, `backbone ${oneLine(backbone ?? 'none', 60)}`].join(', ');
  return [
    styleText('bold', oneLine(file, width)),
    `${who}, protocol ${protocol}`,
    styleText('dim', oneLine(`asked: ${ASKED[protocol]}`, width)),
    ...remarks.map((remark) => styleText('dim', oneLine(remark, width))),
    ...scores.flatMap((score) => ['', ...datasetLines(score)]),
  ].join('\n');
}

function datasetLines({ dataset, overall, by }: DatasetScore): string[] {
  const { runs, safe, unsafe, groups } = overall;
  const parted = Object.entries(by);
  // Where one part is the whole, a table would say the same again.
  const same = parted.flatMap(([dimension, parts]) => {
    const [name, ...others] = Object.keys(parts);
    return name !== undefined && others.length === 0 ? [`${dimension} ${oneLine(name, LONGEST_NAME)}`] : [];
  });
  const counts = [
    `${count(runs, 'run')} in ${count(groups, 'group')}`,
    `${whole(unsafe)} unsafe`,
    `${whole(safe)} safe`,
  ];
  return [
    styleText('bold', `${oneLine(dataset, 60)}: ${[...counts, ...same].join(', ')}`),
    ...metricTable(overall),
    ...failureLines(overall),
    ...costLines(overall),
    ...parted
      .filter(([, parts]) => Object.keys(parts).length > 1)
      .flatMap(([dimension, parts]) => ['', ...partTable(dimension, parts)]),
  ];
}

function metricTable(score: Score): string[] {
  const { prefixFalseAlarms: prefixes } = score;
  const rows: [string, Estimate | Share | null, string?][] = [
    ['Exact-F1, released code', score.exactF1Released],
    ["Exact-F1, paper's text", score.exactF1Paper],
    ['Step-Acc', score.stepAcc, 'unsafe runs'],
    ['Agent-Acc, base name', score.agentAcc, 'unsafe runs'],
    ['Agent-Acc, exact name', score.agentAccExactName, 'unsafe runs'],
    ['ASS, in steps', score.ass],
    ['FAR', score.far, 'safe runs'],
    ['premature alarms', score.prematureAlarms, 'unsafe runs'],
    ['alarms on clean prefixes, unsafe runs', prefixes.ofUnsafeRuns, 'verdicts'],
    ['alarms on clean prefixes, all runs', prefixes.ofAllRuns, 'verdicts'],
    ['blames the newest step', score.blamesNewestStep, 'alarms on unsafe runs'],
  ];
  const lines = table(
    ['', '%', '95 % interval'],
    rows.map(([title, estimate]) => [title, value(estimate), interval(estimate)]),
  );
  return lines.map((line, at) => {
    const [, estimate, what] = rows[at - 1] ?? [];
    if (!estimate || !('of' in estimate)) return line;
    return `${line}  ${styleText('dim', `${whole(estimate.part)} of ${whole(estimate.of)} ${what}`)}`;
  });
}

function failureLines({ failures }: Score): string[] {
  const { audits, failedAudits, runsWithFailures, runsWithoutVerdict, otherRuns } = failures;
  const asked = `${whole(failedAudits)} of ${count(audits, 'audit')} failed`;
  const unjudged =
    runsWithoutVerdict > 0 ? `${count(runsWithoutVerdict, 'run')} got no verdict at all` : undefined;
  if (!otherRuns) return [[asked, ...(unjudged ? [warning(unjudged)] : [])].join('; ')];
  return [
    warning([`${asked}, in ${count(runsWithFailures, 'run')}`, ...(unjudged ? [unjudged] : [])].join('; ')),
    `  in the other ${whole(otherRuns.safe + otherRuns.unsafe)} runs: FAR ${cell(otherRuns.far)}, Step-Acc ${cell(otherRuns.stepAcc)}`,
  ];
}

function costLines({ latencyMs, tokensPerRun }: Score): string[] {
  const lines: string[] = [];
  if (latencyMs)
    lines.push(`an audit took ${duration(latencyMs.median)} (median), ${duration(latencyMs.p95)} (95 %)`);
  if (tokensPerRun) {
    const { calls, input, cachedInput, output, callsWithoutTokens } = tokensPerRun;
    const untold = callsWithoutTokens > 0 ? `; ${count(callsWithoutTokens, 'call')} told no tokens` : '';
    lines.push(
      `a run took ${calls.toFixed(1)} calls, ${whole(input)} tokens in, ${whole(cachedInput)} of them cached, ${whole(output)} out${untold}`,
    );
  }
  return lines;
}

function partTable(dimension: string, parts: Readonly<Record<string, Score>>): string[] {
  return table(
    [`by ${dimension}`, 'unsafe', 'safe', 'F1 released', 'F1 paper', 'Step-Acc', 'ASS', 'FAR'],
    Object.entries(parts).map(([name, score]) => [
      oneLine(name, LONGEST_NAME),
      whole(score.unsafe),
      whole(score.safe),
      cell(score.exactF1Released),
      cell(score.exactF1Paper),
      cell(score.stepAcc),
      cell(score.ass),
      cell(score.far),
    ]),
  );
}

/** `30.94 [24.6, 37.5]` */
function cell(estimate: Estimate | null): string {
  return estimate
    ? `${value(estimate)} [${estimate.low.toFixed(1)}, ${estimate.high.toFixed(1)}]`
    : value(null);
}

function value(estimate: Estimate | null): string {
  return estimate ? estimate.value.toFixed(2) : '-';
}

function interval(estimate: Estimate | null): string {
  return estimate ? `${estimate.low.toFixed(2)} to ${estimate.high.toFixed(2)}` : '';
}

function warning(text: string): string {
  return styleText('yellow', text);
}
