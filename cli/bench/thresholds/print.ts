import { styleText } from 'node:util';
import type { ThresholdReport } from '../../../bench/thresholds.js';
import { table } from '../../table.js';
import { oneLine } from '../../terminal-text.js';
import type { LookedAt } from '../thresholds.js';
import {
  aurocText,
  curveTable,
  lookText,
  pointsTable,
  promiseText,
  rowsText,
  type TextTable,
} from './figures.js';

const LONGEST_NAME = 80;
const LONGEST_LINE = 1_000;

export function thresholdsText(report: ThresholdReport, looked: LookedAt | undefined): string {
  const { auditor, dataset } = report;
  return [
    styleText('bold', `${oneLine(auditor, LONGEST_NAME)} on ${oneLine(dataset, LONGEST_NAME)}`),
    rowsText(report),
    `AUROC of each run's highest score, % (95 %): ${oneLine(aurocText(report), LONGEST_LINE)}`,
    ...tableText(curveTable(report)),
    ...tableText(pointsTable(report, looked)),
    '',
    promiseText(report),
    ...(looked ? [oneLine(lookText(looked), LONGEST_LINE)] : []),
  ].join('\n');
}

function tableText({ title, head, rows }: TextTable): string[] {
  return [
    '',
    title,
    ...table(
      head,
      rows.map((row) => row.map((cell) => oneLine(cell, LONGEST_NAME))),
    ),
  ];
}
