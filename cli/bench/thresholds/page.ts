import { htmlPage } from '../../../bench/page/page.js';
import { htmlTable, shown } from '../../../bench/page/text.js';
import { thresholdChart, tradeOffChart } from '../../../bench/thresholds/charts.js';
import type { ThresholdReport } from '../../../bench/thresholds.js';
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

/** The report as one page that needs nothing else. */
export function thresholdsPage(report: ThresholdReport, looked: LookedAt | undefined): string {
  const { auditor, dataset } = report;
  const facts = [
    rowsText(report),
    `AUROC of each run's highest score, % (95 %): ${aurocText(report)}`,
    promiseText(report),
    ...(looked ? [lookText(looked)] : []),
  ];
  return htmlPage(
    `Thresholds: ${auditor}`,
    `<header><h1>${shown(`Thresholds on the score of ${auditor}, ${dataset}`)}</h1>
${facts.map((fact) => `<p class="facts">${shown(fact)}</p>`).join('\n')}</header>
<section class="plots">${[tradeOffChart(report), thresholdChart(report)].map((chart) => `<figure>${chart}</figure>`).join('\n')}</section>
${section(pointsTable(report, looked))}
${section(curveTable(report))}`,
  );
}

function section({ title, head, rows }: TextTable): string {
  // A row's name is short, and would be broken within words for the sake of the numbers.
  const named = (name: string) => `<span style="white-space:nowrap">${name}</span>`;
  const cells = rows.map((row) => row.map(shown)).map(([name = '', ...numbers]) => [named(name), ...numbers]);
  return `<section><h2>${shown(title)}</h2>${htmlTable(head.map(shown), cells)}</section>`;
}
