export { type Baseline, baselines, type OpenBaseline, readBaseline } from './baselines/index.js';
export { type BenchRun, type Truth, truthOf } from './bench-run.js';
export type { FittedFloor, Floor } from './floors/floor.js';
export { firstAlarm, type PredictedAlarm, type PredictedAudit, type Prediction } from './prediction.js';
export { isAsked, PROTOCOLS, type Protocol } from './protocol.js';
export { type WalkRunOptions, walkRun } from './walk-run.js';
