export type { Exporter } from './exporter.js';
export { type ExporterKind, exporterKinds } from './exporters.js';
export type { Judge, JudgeFailure, JudgeReply, Question } from './judge/judge.js';
export { LimitExceeded } from './limit-exceeded.js';
export { samplesIn } from './pipeline/results-file.js';
export type { StepProgress } from './pipeline/run-step.js';
export type { StageManifest } from './pipeline/stage-manifest.js';
export type { StageWork, Workforce } from './pipeline/workforce.js';
export { type PipelineOptions, runPipeline } from './pipeline.js';
export { type QueueWorkerOptions, runQueueWorker } from './queue/queue-worker.js';
export {
  type QueueWorkforce,
  type QueueWorkforceOptions,
  queueWorkforce,
} from './queue/queue-workforce.js';
export type { RunLabel } from './recorded-run.js';
export type { Fault, Feedback, Provenance, Sample, SampleTurn, ScoredOutcome } from './sample.js';
export type { Source, SourceReport } from './source.js';
export type { Stage, StageDecision, StageResult } from './stage.js';
export { type IngestOptions, ingestSource } from './stages/ingest.js';
export { type SplitOptions, splitStage } from './stages/split.js';
export { type StageDeps, type StageKind, stageKinds } from './stages.js';
