import type { Protocol } from './protocol.js';

export type PublishedPart = 'math' | 'coding' | 'agentic' | 'overall';

export interface PublishedScore {
  /** Percent. */
  readonly exactF1: number;
  /** Steps; null where nothing was flagged. */
  readonly ass: number | null;
}

/** One row of a published table over AFTraj-2K's test split. */
export interface PublishedRow {
  readonly method: string;
  /** `zero-shot`: a model and a prompt; `baseline`: another method over a model; `trained`: the paper's own. */
  readonly kind: 'zero-shot' | 'baseline' | 'trained';
  /** As it is named there. */
  readonly backbone: string;
  readonly protocol: Protocol;
  readonly source: string;
  readonly scores: Readonly<Record<PublishedPart, PublishedScore>>;
}

const PAPER = 'arXiv 2605.08715';
const TABLE = `${PAPER}, Table 1`;
/** The four baselines are named so; the paper trains the same size. */
const SEVEN_B = '7B';

/** Exact-F1 and ASS in turns: math, coding, agentic, overall. */
type Figures = readonly [
  number,
  number | null,
  number,
  number | null,
  number,
  number | null,
  number,
  number | null,
];

function row(head: Omit<PublishedRow, 'source' | 'scores'>, figures: Figures): PublishedRow {
  const [math, mathAss, coding, codingAss, agentic, agenticAss, overall, overallAss] = figures;
  return {
    ...head,
    source: TABLE,
    scores: {
      math: { exactF1: math, ass: mathAss },
      coding: { exactF1: coding, ass: codingAss },
      agentic: { exactF1: agentic, ass: agenticAss },
      overall: { exactF1: overall, ass: overallAss },
    },
  };
}

const zeroShot = (method: string, ...figures: Figures) =>
  row({ method, kind: 'zero-shot', backbone: method, protocol: 'official' }, figures);

const baseline = (method: string, protocol: Protocol, ...figures: Figures) =>
  row({ method, kind: 'baseline', backbone: SEVEN_B, protocol }, figures);

/**
 * Exact-F1 is the released code's: DeepSeek-V4-Pro's 46.56 at a Step-Acc of 54.0 means 215 alarms, which with the paper's
 * own definition would all be on its 163 unsafe runs.
 */
export const PUBLISHED_TABLE: readonly PublishedRow[] = [
  zeroShot('Llama3.2-3B', 8.14, 4.86, 21.05, 2.94, 16.13, 2.3, 14.41, 3.38),
  zeroShot('Gemma3-4B', 1.15, 5.78, 12.9, 4.59, 8.29, 3.04, 6.92, 4.37),
  zeroShot('Qwen2.5-7B-Instruct', 10.39, 3.8, 38.2, 2.26, 14.0, 2.96, 21.05, 2.75),
  zeroShot('Qwen3-8B', 21.95, 4.65, 27.85, 2.57, 33.64, 1.57, 28.36, 2.65),
  zeroShot('Qwen3-32B', 18.63, 4.07, 20.0, 2.83, 40.0, 1.59, 26.91, 2.82),
  zeroShot('GPT-4.1', 24.39, 3.95, 10.81, 3.5, 40.68, 1.29, 27.43, 2.67),
  zeroShot('Gemini-3-Flash', 40.52, 2.48, 19.42, 2.73, 26.09, 1.7, 29.74, 2.19),
  zeroShot('Claude-Haiku-4.5', 19.75, 4.12, 23.91, 2.8, 31.95, 1.69, 25.53, 2.85),
  zeroShot('DeepSeek-V4-Flash', 42.77, 2.78, 38.1, 1.27, 32.53, 1.42, 37.65, 1.94),
  zeroShot('DeepSeek-V4-Pro', 50.34, 2.6, 49.32, 0.96, 41.77, 1.31, 46.56, 1.77),
  baseline('Perplexity', 'official', 2.31, 4.09, 26.56, 2.19, 16.57, 2.5, 14.11, 3.02),
  baseline('Tree-of-Thoughts', 'official', 20.38, 4.4, 7.02, 4.06, 24.84, 2.13, 18.52, 3.39),
  baseline('Reflexion', 'official', 16.57, 4.39, 9.52, 4.5, 39.13, 1.44, 23.38, 3.17),
  baseline('AgentDebug', 'post-hoc', 0, null, 28.57, 4.05, 2.82, 1.0, 9.63, 3.76),
  row(
    {
      method: 'AgentForesight-7B',
      kind: 'trained',
      backbone: 'Qwen2.5-7B-Instruct',
      protocol: 'official',
    },
    [77.36, 0.96, 78.87, 0.18, 48.7, 0.54, 66.44, 0.59],
  ),
];

/** Overall Exact-F1 in percent, by which stages of the training were done. */
export const PUBLISHED_ABLATION = {
  backbone: 'Qwen2.5-7B-Instruct',
  protocol: 'official',
  source: PAPER,
  rows: [
    { stages: 'base model', exactF1: 21.1 },
    { stages: 'stage 1 (BPPO) only', exactF1: 35.6 },
    { stages: 'stage 2 (GRPO) only', exactF1: 50.4 },
    { stages: 'both', exactF1: 66.4 },
  ],
} as const;

/** Percent of safe runs with an alarm, and of unsafe runs with the alarm at exactly the labelled step. */
export interface OperatingPoint {
  readonly method: string;
  readonly far: number;
  readonly stepAcc: number;
  readonly protocol: Protocol;
  readonly source: string;
}

/** Under a protocol that asks once of a safe run: the chance that a healthy run gets halted is another, and higher. */
export const PUBLISHED_POINTS: readonly OperatingPoint[] = [
  { method: 'AgentForesight-7B', far: 2.4, stepAcc: 59.5, protocol: 'official', source: PAPER },
  { method: 'DeepSeek-V4-Pro', far: 43.2, stepAcc: 54.0, protocol: 'official', source: PAPER },
];

/** What the paper calls deployable, in percent. */
export const DEPLOYABLE_REGION = { mostFar: 20, leastStepAcc: 50, source: PAPER } as const;

/**
 * What is said of Who&When, whose runs have all failed, so that the protocols that walk them agree. `about` marks what was
 * read off a text that rounds.
 */
export const PUBLISHED_WHO_AND_WHEN = [
  {
    what: 'Step-Acc of AgentForesight-7B, above GPT-4.1',
    unit: 'points',
    value: 19.59,
    about: false,
    protocol: 'official',
    source: PAPER,
  },
  {
    what: 'Agent-Acc of AgentForesight-7B, above GPT-4.1',
    unit: 'points',
    value: 6.41,
    about: false,
    protocol: 'official',
    source: PAPER,
  },
  {
    what: 'ASS of AgentForesight-7B',
    unit: 'steps',
    value: 1.62,
    about: false,
    protocol: 'official',
    source: PAPER,
  },
  {
    what: 'ASS of DeepSeek-V4-Flash',
    unit: 'steps',
    value: 2.35,
    about: false,
    protocol: 'official',
    source: PAPER,
  },
  {
    what: 'best Step-Acc on the algorithm-generated runs, known to have failed',
    unit: 'percent',
    value: 50,
    about: true,
    protocol: 'post-hoc',
    source: 'published post-hoc methods',
  },
  {
    what: 'best Step-Acc on the hand-crafted runs, known to have failed',
    unit: 'percent',
    value: 30,
    about: true,
    protocol: 'post-hoc',
    source: 'published post-hoc methods',
  },
  {
    what: 'best Agent-Acc, known to have failed',
    unit: 'percent',
    value: 77,
    about: true,
    protocol: 'post-hoc',
    source: 'published post-hoc methods',
  },
] as const;

/** Later work by the same authors: a probability and step-dependent thresholds, set on successful runs, in place of a verdict's text. */
export const PUBLISHED_SCORES = {
  source: 'Dream2Discern, September 2026',
  metric: 'AUROC, percent',
  rows: [
    { method: 'Dream2Discern', auroc: 95.8 },
    { method: 'AgentForesight-7B, its verdicts', auroc: 83.8 },
  ],
} as const;

/** An independent run of the released harness over the test split. Its predictions are public, and this is re-scored from them. */
export const PUBLISHED_RERUN: PublishedRow & {
  readonly runs: number;
  readonly rates: Readonly<Record<PublishedPart, { readonly far: number; readonly stepAcc: number }>>;
} = {
  method: 'DeepSeek-V4-Flash, run again',
  kind: 'zero-shot',
  backbone: 'DeepSeek-V4-Flash',
  protocol: 'official',
  source: "a third party's per_sample.jsonl",
  runs: 332,
  scores: {
    math: { exactF1: 40.32, ass: 3.44 },
    coding: { exactF1: 12.82, ass: 4.59 },
    agentic: { exactF1: 32.5, ass: 1.6 },
    overall: { exactF1: 30.94, ass: 2.77 },
  },
  rates: {
    math: { far: 15.52, stepAcc: 43.1 },
    coding: { far: 35.19, stepAcc: 13.51 },
    agentic: { far: 43.86, stepAcc: 38.24 },
    overall: { far: 31.36, stepAcc: 34.36 },
  },
};
