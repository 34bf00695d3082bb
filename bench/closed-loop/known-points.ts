import type { OperatingPoint } from './operating-point.js';

/** Turns of a safe run of AFTraj-2K's test split, on average: what a rate per run is spread over if every prefix is asked about. */
const TURNS = 12.47;
/** arXiv 2605.08715: Exact-F1 66.44 and Step-Acc 59.5 give a precision of 75.2 %, and so alarms on 79.1 % of unsafe runs. */
const FORESIGHT = { recall: 0.791, attribution: 0.752, delays: [1] };
const FORESIGHT_SOURCE =
  'arXiv 2605.08715: FAR 2.4, Step-Acc 59.5, Exact-F1 66.44. Assumed: its alarms come at the faulty step';

/** Auditors as they were measured or published. `npm run bench:closed-loop` measures them again. */
export const KNOWN_POINTS: readonly OperatingPoint[] = [
  {
    name: 'DeepSeek-V4-Flash',
    recall: 63 / 80,
    falseAlarmRate: 83 / 539,
    delays: [48, 9, 3, 2, 1].map((runs) => runs / 63),
    attribution: 56 / 63,
    source: "measured: a third party's predictions, unsafe runs of AFTraj-2K's test split",
  },
  {
    name: 'AgentForesight-7B, FAR per call',
    ...FORESIGHT,
    falseAlarmRate: 0.024,
    source: `${FORESIGHT_SOURCE}, and any prefix alarms as often as a whole safe run, which the released code asks about once`,
  },
  {
    name: 'AgentForesight-7B, FAR per run',
    ...FORESIGHT,
    falseAlarmRate: 1 - (1 - 0.024) ** (1 / TURNS),
    source: `${FORESIGHT_SOURCE}, and FAR is of safe runs walked at each of ${TURNS} prefixes, as in the paper's text`,
  },
  {
    name: 'signals',
    recall: 69 / 161,
    falseAlarmRate: 4 / 2919,
    delays: [58, 8, 0, 0, 0, 2, 1].map((runs) => runs / 69),
    attribution: 66 / 69,
    source: "measured: AFTraj-2K's test split, two thirds of whose failures are injected",
  },
  {
    name: 'signals, natural failures',
    recall: 3 / 53,
    falseAlarmRate: 4 / 2362,
    delays: [0, 0, 0, 0, 0, 2 / 3, 1 / 3],
    attribution: 0,
    source: "measured: AFTraj-2K's test split, without injected failures",
  },
];
