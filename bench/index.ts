export { type BenchRun, type Truth, truthOf } from './bench-run.js';
export { type BenchCorpus, type BenchRunsOptions, benchRuns, sharesGroupWithTest } from './datasets.js';
export type { FittedFloor, Floor } from './floors/floor.js';
export { firstAlarm, type PredictedAlarm, type PredictedAudit, type Prediction } from './prediction.js';
export type { PredictedRun } from './prediction-schema.js';
export {
  type Predictions,
  type PredictionsHeader,
  readPredictions,
  writePredictions,
} from './predictions-file.js';
export { isAsked, PROTOCOLS, type Protocol } from './protocol.js';
export { type WalkRunOptions, walkRun } from './walk-run.js';
