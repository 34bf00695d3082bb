import { alwaysStep, constantStep } from './constant-step.js';
import { echoRule } from './echo-rule.js';
import { firstWorkerTurn } from './first-worker-turn.js';
import type { Floor } from './floor.js';
import { ngramProbeFloor, noTextProbeFloor } from './probe-floor.js';
import { randomAtBestRate } from './random-at-best-rate.js';

/** Walked wherever there are training runs to choose on. */
export const fittedFloors: readonly Floor[] = [
  constantStep,
  firstWorkerTurn,
  randomAtBestRate(1),
  echoRule,
  noTextProbeFloor,
  ngramProbeFloor,
];

/** Walked where there are none, as on Who&When: nothing of them is chosen by a score. */
export const fixedFloors: readonly Floor[] = [firstWorkerTurn, echoRule, alwaysStep(1), alwaysStep(4)];

export type { FittedFloor, Floor } from './floor.js';
export { randomAtBestRate } from './random-at-best-rate.js';
