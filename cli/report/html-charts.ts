import { barChart } from '../../bench/plot/bar-chart.js';
import { lineChart } from '../../bench/plot/line-chart.js';
import type { Numbers } from './numbers.js';
import type { ReportSummary, ReportTally } from './report-tally.js';
import { SCORE_EDGES } from './score-tally.js';

const MOST_BINS = 30;
const MOST_POINTS = 60;
/** Milliseconds. An audit that was not made, such as one over budget, took none, and a log axis has no place for it. */
const SHORTEST = 0.01;

/** The plots that there are numbers for, as SVG. */
export function charts(summary: ReportSummary, tally: ReportTally): string[] {
  return [
    alarmSteps(tally.alarms.steps),
    scores(summary),
    latencies(tally.audits.latencies),
    cumulativeCost(summary, tally),
  ].filter((chart) => chart !== undefined);
}

function alarmSteps(steps: Numbers): string | undefined {
  if (steps.length === 0) return undefined;
  const width = Math.ceil(((steps.quantile(1) ?? 0) + 1) / MOST_BINS);
  const bins = Math.max(5, Math.ceil(((steps.quantile(1) ?? 0) + 1) / width));
  const edges = Array.from({ length: bins + 1 }, (_, bin) => bin * width);
  return barChart({
    title: 'Alarms, by the step that they blame',
    x: { label: width === 1 ? 'step' : `step, ${width} a bar`, scale: 'linear' },
    y: { label: 'alarms', scale: 'linear' },
    edges,
    series: [{ name: 'alarms', values: steps.histogram(edges) }],
  });
}

function scores({ scores }: ReportSummary): string | undefined {
  if (scores.scored === 0) return undefined;
  return barChart({
    title: 'Scores of verdicts',
    x: { label: 'score, P(alarm)', scale: 'linear' },
    y: { label: 'verdicts', scale: 'linear' },
    edges: SCORE_EDGES,
    series: [
      { name: 'continue', values: scores.continues },
      { name: 'alarm', values: scores.alarms },
    ],
  });
}

function latencies(all: Numbers): string | undefined {
  if (all.length === 0) return undefined;
  const shortest = Math.max(SHORTEST, all.quantile(0) ?? 0);
  const longest = Math.max(shortest * 2, all.quantile(1) ?? 0);
  const edges = Array.from(
    { length: MOST_BINS + 1 },
    (_, bin) => shortest * (longest / shortest) ** (bin / MOST_BINS),
  );
  return barChart({
    title: 'How long audits took',
    x: { label: 'milliseconds', scale: 'log' },
    y: { label: 'audits', scale: 'linear' },
    edges,
    series: [{ name: 'audits', values: all.histogram(edges) }],
  });
}

/** Money where there are prices, tokens where there are none. */
function cumulativeCost({ cost }: ReportSummary, tally: ReportTally): string | undefined {
  if (cost.calls === 0) return undefined;
  const isMoney = cost.cost > 0;
  const sums = isMoney ? tally.cost.cumulativeCost : tally.cost.cumulativeTokens;
  const step = Math.max(1, Math.ceil(sums.length / MOST_POINTS));
  const points = sums.flatMap((sum, run) =>
    run % step === 0 || run === sums.length - 1 ? [[run + 1, sum] as const] : [],
  );
  return lineChart({
    title: isMoney ? 'What auditing cost, run by run' : 'Tokens that auditing took, run by run',
    x: { label: 'runs', scale: 'linear' },
    y: { label: isMoney ? 'money so far' : 'tokens so far', scale: 'linear' },
    series: [{ name: isMoney ? 'money' : 'tokens', points: [[0, 0], ...points] }],
  });
}
