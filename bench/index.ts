export { type Baseline, baselines, type OpenBaseline, readBaseline } from './baselines/index.js';
export { type BenchRun, type Truth, truthOf } from './bench-run.js';
export { type BenchCorpus, type BenchRunsOptions, benchRuns, sharesGroupWithTest } from './datasets.js';
export { type PublicDataset, type PublicFile, publicDatasets } from './fetch/public-datasets.js';
export { type Fetched, type FetchOptions, fetchDatasets } from './fetch.js';
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
export {
  type HeldOutCheck,
  heldOutCheck,
  type PickedPoint,
  type ThresholdOptions,
  type ThresholdReport,
  thresholdReport,
} from './thresholds.js';
export { type WalkRunOptions, walkRun } from './walk-run.js';
