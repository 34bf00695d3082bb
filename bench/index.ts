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
