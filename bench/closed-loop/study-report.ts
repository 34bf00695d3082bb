import { htmlPage } from '../page/page.js';
import { shown } from '../page/text.js';
import { lineChart } from '../plot/line-chart.js';
import { type Cell, htmlTableSection, markdownTable, type Table } from '../tables/table.js';
import type { MeanInterval } from './mean-interval.js';
import { type BreakEvenPoint, policiesOf, RIVALS, type Rival, type Study } from './study.js';

const RIVAL_NAMES: Readonly<Record<Rival, string>> = {
  none: 'no auditor',
  majority: 'majority of as dear tries',
  oracle: 'a free oracle over as dear tries',
};

/** What must be read beside the figures. */
export function studyNotes({ config, faultRate, check }: Study): readonly string[] {
  const { steps, failureRate, persistence, hintFactor, misledRate, repairRate, auditCost, stepCost } =
    config.team;
  return [
    `A simulated team of ${steps} steps, of which ${percentText(failureRate)} of unaudited runs fail: a step goes wrong with a chance of ${percentText(faultRate)}. ${config.tasks} tasks, the same luck for every policy.`,
    `Assumed, and not measured: a step that went wrong goes wrong again with chance ${persistence}, a right hint multiplies that by ${hintFactor}, a wrong one misleads with chance ${misledRate}, a later step repairs a fault with chance ${repairRate}; an audit costs ${(auditCost / stepCost).toPrecision(2)} of a step. False alarms are independent of one another, which real auditors' are not.`,
    `${check.equal} of ${check.outcomes} tasks that were run through the real runtime ended alike, at the same cost.`,
  ];
}

/** What each auditor brings under each policy, and up to which false-alarm rate acting on alarms pays. */
export function studyTables(study: Study): readonly Table[] {
  return [auditorsTable(study), breakEvenTable(study)];
}

function auditorsTable({ auditors }: Study): Table {
  return {
    title: 'Auditors at their operating points',
    notes: [
      'In percent of tasks. Wrong halts are of runs that would have come right. Points above a rival have their 95 % interval; resampling spends as much per task as the policy does.',
      ...auditors.map(({ point }) => `${point.name}: ${point.source ?? 'as configured'}`),
    ],
    columns: [
      { name: 'auditor' },
      { name: 'policy' },
      { name: 'recall' },
      { name: 'false alarms per clean prefix', digits: 2 },
      { name: 'solved' },
      { name: 'wrong, and nobody knows' },
      { name: 'wrong halts per task' },
      { name: 'cost per task' },
      { name: 'points above no auditor', isSigned: true },
      { name: 'above majority', isSigned: true },
      { name: 'above oracle', isSigned: true },
    ],
    rows: auditors.flatMap(({ point, summaries }) =>
      summaries.map((summary): readonly Cell[] => {
        const above = (selection: 'majority' | 'oracle') =>
          summary.overResampling.find((one) => one.selection === selection);
        return [
          point.name,
          summary.title,
          100 * point.recall,
          100 * point.falseAlarmRate,
          percent(summary.solved),
          100 * summary.silentlyWrong,
          100 * summary.wrongHalts,
          summary.cost.mean,
          percent(summary.overNone ?? undefined),
          percent(above('majority')),
          percent(above('oracle')),
        ];
      }),
    ),
  };
}

function breakEvenTable({ breakEven, config }: Study): Table {
  const policies = policiesOf(config).map(({ kind }) => kind);
  const places = policies.flatMap((policy) => RIVALS.map((rival) => ({ policy, rival })));
  return {
    title: 'Up to which false-alarm rate acting on alarms pays',
    notes: [
      `Percent of clean prefixes, by recall, for an auditor with ${percentText(config.plane.attribution)} of noticed faults blamed on the right step. Between the ends of the interval it is not known whether it pays. "never": not even without a false alarm; "always": whatever its rate.`,
      'Halting alone never solves more; against no auditor it is held to solve more for its money.',
    ],
    columns: [
      { name: 'recall', digits: 2 },
      ...places.map(({ policy, rival }) => ({ name: `${policy} over ${RIVAL_NAMES[rival]}`, digits: 2 })),
    ],
    rows: config.plane.recalls.map((recall) => [
      recall,
      ...places.map(({ policy, rival }) => {
        const upTo = breakEven.find(
          (one) => one.recall === recall && one.policy === policy && one.rival === rival,
        )?.upTo;
        if (upTo?.pays !== 'up to') return upTo?.pays ?? null;
        return { value: 100 * upTo.rate, low: 100 * upTo.low, high: 100 * upTo.high };
      }),
    ]),
  };
}

/** Break-even curves as SVG, one for each rival; below a line acting on alarms pays. */
export function studyPlots({ breakEven, config }: Study): Readonly<Record<string, string>> {
  const policies = policiesOf(config).map(({ kind }) => kind);
  return Object.fromEntries(
    RIVALS.map((rival) => [
      `break-even-${rival}`,
      lineChart({
        title: `Pays below the line, against ${RIVAL_NAMES[rival]}`,
        x: { label: 'recall at the faulty step', scale: 'linear' },
        y: { label: 'false alarms per clean prefix, %', scale: 'linear' },
        series: policies.map((policy) => ({
          name: policy,
          points: breakEven
            .filter((one) => one.policy === policy && one.rival === rival)
            .map((one) => [one.recall, Number((100 * rateOf(one)).toFixed(2))] as const),
        })),
      }),
    ]),
  );
}

function rateOf({ upTo }: BreakEvenPoint): number {
  if (upTo.pays === 'up to') return upTo.rate;
  return upTo.pays === 'always' ? 1 : 0;
}

const TITLE = 'Does acting on alarms pay?';

export function studyMarkdown(study: Study): string {
  const notes = studyNotes(study).map((note) => `- ${note}`);
  return [`# ${TITLE}`, notes.join('\n'), ...studyTables(study).map(markdownTable), ''].join('\n\n');
}

/** One page, plots and all, that fetches nothing and runs nothing. */
export function studyPage(study: Study): string {
  const notes = studyNotes(study).map((note) => `<li>${shown(note)}</li>`);
  const figures = Object.values(studyPlots(study)).map((plot) => `<figure>${plot}</figure>`);
  return htmlPage(
    TITLE,
    `<header><h1>${TITLE}</h1><ul>${notes.join('\n')}</ul></header>
<section class="plots">${figures.join('\n')}</section>
${studyTables(study).map(htmlTableSection).join('\n')}`,
  );
}

function percent(interval: MeanInterval | undefined): Cell {
  if (!interval) return null;
  return { value: 100 * interval.mean, low: 100 * interval.low, high: 100 * interval.high };
}

function percentText(share: number): string {
  return `${Number((100 * share).toPrecision(3))} %`;
}
