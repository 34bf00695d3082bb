export { type Baseline, baselines, type OpenBaseline, readBaseline } from './baselines/index.js';
export { type BenchRun, type Truth, truthOf } from './bench-run.js';
export type { Attempt, Spent } from './closed-loop/attempt.js';
export { comparePolicies, type PolicySummary } from './closed-loop/compare-policies.js';
export { type MeasuredPoint, type OperatingPoint, operatingPointOf } from './closed-loop/operating-point.js';
export { outcomesOf } from './closed-loop/outcomes.js';
export type { Policy } from './closed-loop/policy.js';
export { type ClosedLoopTask, type RunContext, runPolicies } from './closed-loop/run-policies.js';
export { runStudy, type Study } from './closed-loop/study.js';
export { type StudyConfig, studyConfigSchema } from './closed-loop/study-config.js';
export { type BenchCorpus, type BenchRunsOptions, benchRuns, sharesGroupWithTest } from './datasets.js';
export { type PublicDataset, type PublicFile, publicDatasets } from './fetch/public-datasets.js';
export { type Fetched, type FetchOptions, fetchDatasets } from './fetch.js';
export { type FittedFloor, type Floor, fittedFloors, fixedFloors } from './floors/index.js';
export { type WalkedFloor, walkFloor, walkFloors } from './floors/walk-floors.js';
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
export {
  type BenchReport,
  type BenchReportOptions,
  benchReport,
  reportJson,
  reportMarkdown,
  reportPage,
} from './report.js';
export type { Dimension } from './score/breakdown.js';
export type { Share } from './score/evidence.js';
export type { FailureScore, Score, TokensPerRun } from './score/run-score.js';
export { type DatasetScore, type ScoreOptions, scorePredictions } from './score.js';
export type { ScoredWalk, WalkKind } from './tables/scored-walk.js';
export {
  type HeldOutCheck,
  heldOutCheck,
  type PickedPoint,
  type ThresholdOptions,
  type ThresholdReport,
  thresholdReport,
} from './thresholds.js';
export { type WalkRunOptions, walkRun } from './walk-run.js';
