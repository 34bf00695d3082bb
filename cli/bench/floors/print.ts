import { styleText } from 'node:util';
import type { Score } from '../../../bench/score/run-score.js';
import type { DatasetScore } from '../../../bench/score.js';
import type { Estimate } from '../../../collectors/first-alarms/estimate.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal-text.js';
import type { ChanceMean } from './chance-means.js';
import type { ScoredFloor } from './scored-floor.js';

const LONGEST_NAME = 40;

/** A table for each dataset and protocol. */
export function floorsText(floors: readonly ScoredFloor[], chance: readonly ChanceMean[]): string {
  const placed = floors.flatMap((floor) => floor.scores.map((score) => ({ floor, score })));
  const tables = Map.groupBy(placed, ({ floor, score }) => `${score.dataset}, ${floor.protocol}`);
  return [...tables]
    .map(([name, rows]) => {
      const means = chance.filter(({ dataset, protocol }) => `${dataset}, ${protocol}` === name);
      return [...oneTable(name, rows), ...means.map(chanceLine)].join('\n');
    })
    .join('\n\n');
}

interface Row {
  readonly floor: ScoredFloor;
  readonly score: DatasetScore;
}

function oneTable(name: string, rows: readonly Row[]): string[] {
  const [first] = rows;
  const { domain = {}, source = {} } = first?.score.by ?? {};
  const domains = Object.keys(domain).length > 1 ? Object.keys(domain) : [];
  const isNatural = 'natural' in source;
  const isShared = rows.some(({ floor }) => floor.unshared);
  const head = [
    ...['', 'Exact-F1, released', 'paper', 'Step-Acc', 'Agent-Acc', 'ASS', 'FAR'],
    ...(isNatural ? ['natural only'] : []),
    ...(isShared ? ['no shared task'] : []),
    ...domains.map((one) => oneLine(one, LONGEST_NAME)),
  ];
  const lines = table(
    head,
    rows.map(({ floor, score }) => [
      floor.title,
      ranged(score.overall.exactF1Released),
      value(score.overall.exactF1Paper),
      value(score.overall.stepAcc),
      value(score.overall.agentAcc),
      score.overall.ass?.value.toFixed(2) ?? '-',
      value(score.overall.far),
      ...(isNatural ? [ranged(f1(score.by.source?.['natural']))] : []),
      ...(isShared ? [value(f1(unshared(floor, score)))] : []),
      ...domains.map((one) => value(f1(score.by.domain?.[one]))),
    ]),
  );
  const overall = first?.score.overall;
  const what = overall ? `${overall.unsafe} unsafe and ${overall.safe} safe runs` : 'no runs';
  const natural = 'natural' in source ? `, ${source['natural']?.unsafe} of the unsafe ones natural` : '';
  const notes = domains.length > 0 ? ['under a domain: Exact-F1, released'] : [];
  return [
    styleText('bold', `${oneLine(name, LONGEST_NAME)}: ${what}${natural}`),
    ...lines,
    ...notes.map((note) => styleText('dim', note)),
  ];
}

function chanceLine({ seeds, exactF1Released, stepAcc, far }: ChanceMean): string {
  const figures = `Exact-F1 ${exactF1Released.toFixed(1)}, Step-Acc ${stepAcc.toFixed(1)}, FAR ${far.toFixed(1)}`;
  return styleText('dim', `random, mean of ${seeds} seeds: ${figures}`);
}

function unshared({ unshared: scores, scores: all }: ScoredFloor, { dataset }: DatasetScore) {
  return (scores ?? all).find((score) => score.dataset === dataset)?.overall;
}

function f1(score: Score | undefined): Estimate | null {
  return score?.exactF1Released ?? null;
}

function ranged(estimate: Estimate | null): string {
  if (!estimate) return '-';
  return `${value(estimate)} [${estimate.low.toFixed(1)}, ${estimate.high.toFixed(1)}]`;
}

function value(estimate: Estimate | null): string {
  return estimate ? estimate.value.toFixed(1) : '-';
}
