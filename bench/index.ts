export { type BenchRun, type Truth, truthOf } from './bench-run.js';
export { type BenchCorpus, type BenchRunsOptions, benchRuns, sharesGroupWithTest } from './datasets.js';
export type { FittedFloor, Floor } from './floors/floor.js';
export { isPerSample, type PerSampleFile, readPerSampleFile } from './per-sample/read-per-sample.js';
export { withTruths } from './per-sample/with-truths.js';
export { firstAlarm, type PredictedAlarm, type PredictedAudit, type Prediction } from './prediction.js';
export type { PredictedRun } from './prediction-schema.js';
export {
  type Predictions,
  type PredictionsHeader,
  readPredictions,
  writePredictions,
} from './predictions-file.js';
export { isAsked, PROTOCOLS, type Protocol } from './protocol.js';
export type { Dimension } from './score/breakdown.js';
export type { Share } from './score/evidence.js';
export type { FailureScore, Score, TokensPerRun } from './score/run-score.js';
export { type DatasetScore, type ScoreOptions, scorePredictions } from './score.js';
export { type WalkRunOptions, walkRun } from './walk-run.js';
