export type { Exporter } from './exporter.js';
export { type ExporterKind, exporterKinds } from './exporters.js';
export { FAULT_CATEGORIES, type FaultCategory } from './inject/taxonomy.js';
export { budgeted, type JudgeBudget } from './judge/budgeted.js';
export { cached } from './judge/cached.js';
export { type ChatJudgeOptions, chatJudge } from './judge/chat-judge.js';
export type { Judge, JudgeFailure, JudgeReply, Question } from './judge/judge.js';
export { limited } from './judge/limited.js';
export { LimitExceeded } from './limit-exceeded.js';
export { samplesIn } from './pipeline/results-file.js';
export type { StepProgress } from './pipeline/run-step.js';
export type { StageManifest } from './pipeline/stage-manifest.js';
export type { StageWork, Workforce } from './pipeline/workforce.js';
export { type PipelineOptions, runPipeline } from './pipeline.js';
export { type ProbeOptions, type ProbeReport, runProbe } from './probe/run-probe.js';
export { type QueueWorkerOptions, runQueueWorker } from './queue/queue-worker.js';
export {
  type QueueWorkforce,
  type QueueWorkforceOptions,
  queueWorkforce,
} from './queue/queue-workforce.js';
export type { RunLabel } from './recorded-run.js';
export type { Fault, Feedback, Provenance, Sample, SampleTurn, ScoredOutcome } from './sample.js';
export { type CallbackScorerOptions, callbackScorer } from './scorers/callback-scorer.js';
export { type CodeScorerOptions, codeScorer } from './scorers/code-scorer.js';
export { feedbackScorer } from './scorers/feedback-scorer.js';
export { type MathScorerOptions, mathScorer } from './scorers/math-scorer.js';
export { omegaOf } from './scorers/omega.js';
export { type QaScorerOptions, qaScorer } from './scorers/qa-scorer.js';
export { type RubricScorerOptions, rubricScorer } from './scorers/rubric-scorer.js';
export type { Score, Scorer } from './scorers/scorer.js';
export type { Source, SourceReport } from './source.js';
export type { Stage, StageDecision, StageResult } from './stage.js';
export { type AnnotateOptions, annotateStage } from './stages/annotate.js';
export { type FilterOptions, filterStage } from './stages/filter.js';
export { type IngestOptions, ingestSource } from './stages/ingest.js';
export { type InjectOptions, injectStage, type Omega } from './stages/inject.js';
export { type OutcomeOptions, outcomeStage } from './stages/outcome.js';
export { type PairsOptions, pairsStage } from './stages/pairs.js';
export { type ProbeStageOptions, probeStage } from './stages/probe.js';
export { type ScrubOptions, scrubStage } from './stages/scrub.js';
export { type SplitOptions, splitStage } from './stages/split.js';
export { type StageDeps, type StageKind, stageKinds } from './stages.js';
