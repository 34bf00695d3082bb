export { AgentCall, type Answered, type Said } from './agent-run/agent-call.js';
export { AgentRun, type AgentRunOptions, type RunStart } from './agent-run/agent-run.js';
export { type CallCounts, CallSite, padded, pathKey } from './agent-run/call-site.js';
export { outcomeAfter } from './agent-run/outcome-after.js';
export type { PastRun } from './agent-run/past-run.js';
export { PendingVerdicts, type Stop } from './agent-run/pending-verdicts.js';
export { alsoOnSignals } from './also-on-signals.js';
export { apiKeyEnvSchema, type Environment, keyIn } from './api-key.js';
export { askAuditor } from './ask-auditor.js';
export { AuditError, type AuditFailure, type AuditFailureKind, auditFailureSchema } from './audit-failure.js';
export { type AuditNote, type CutNote, type ModelCall, modelCallSchema, type Opinion } from './audit-note.js';
export {
  type AuditOptions,
  type Auditor,
  type AuditRequest,
  type AuditResult,
  auditorName,
} from './auditor.js';
export { type AuditorConfig, auditorConfigSchema, type ScheduleConfig } from './auditors/auditor-config.js';
export { type CascadeOptions, cascade } from './auditors/cascade.js';
export { type AskModel, askModel, costOf, noted, type Prices } from './auditors/chat/model-calls.js';
export { type ReasonedVerdict, reasonedVerdict } from './auditors/chat/reasoned-verdict.js';
export { replyRoom } from './auditors/chat/reply-room.js';
export { type ChatAuditorOptions, chatAuditor } from './auditors/chat-auditor.js';
export { createAuditor } from './auditors/create-auditor.js';
export { type MajorityOptions, majority } from './auditors/majority.js';
export { type ParsedReply, parseVerdict, type VerdictFault } from './auditors/parse-verdict.js';
export { type AppendOnlyLayoutOptions, appendOnlyLayout } from './auditors/prompt/append-only-layout.js';
export { type CountTokens, countTokens, encodeTokens } from './auditors/prompt/count-tokens.js';
export { RUN_INSTRUCTIONS, VERDICT_FORM } from './auditors/prompt/instructions.js';
export { jsonLine } from './auditors/prompt/json-line.js';

export { taskLine, toolLines } from './auditors/prompt/opening.js';

export type { Prompt, PromptLayout } from './auditors/prompt/prompt-layout.js';
export { type PublishedLayoutOptions, publishedLayout } from './auditors/prompt/published-layout.js';
export { turnLine } from './auditors/prompt/turn-line.js';
export { readAuditorConfig } from './auditors/read-auditor-config.js';
export { deadlineSchema, readOptions } from './auditors/read-options.js';
export { type ShadowOptions, shadow } from './auditors/shadow.js';
export {
  type CheckName,
  type InspectOptions,
  inspect,
  type Note,
  type SignalsAuditorOptions,
  signalsAuditor,
} from './auditors/signals-auditor.js';
export { type SwappableAuditor, swappable } from './auditors/swappable.js';
export type { Budget } from './budget.js';
export { alarmsExpected } from './calibration/alarms-expected.js';
export { clopperPearson, type Interval } from './calibration/binomial-interval.js';
export {
  CALIBRATION_VERSION,
  type CalibrationFile,
  readCalibration,
} from './calibration/calibration-file.js';
export { firstAlarm } from './calibration/first-alarm.js';
export { type Fit, type FitOptions, fitThresholds, type TooFewRuns } from './calibration/fit-thresholds.js';
export { fewestRuns, runsForUpperEnd } from './calibration/runs-needed.js';
export type { ScoredRun, StepScore } from './calibration/scored-run.js';
export { type Calibration, type Thresholds, uncalibrated } from './calibration.js';
export { ConcurrencyLimit } from './chat-client/concurrency-limit.js';
export type { PromptLogprobsRoute, PromptToken } from './chat-client/prompt-logprobs.js';
export {
  type ChatClient,
  type ChatClientOptions,
  type ChatMessage,
  type ChatOptions,
  type ChatReply,
  type ChatRequest,
  chatClient,
  chatClientSchema,
  type PromptScorer,
  type ScoredPrompt,
} from './chat-client.js';
export type { Consent } from './consent.js';
export { consoleDiagnostics, type Diagnostic, type Diagnostics, messageOf } from './diagnostics.js';
export {
  AuditHalt,
  brandAuditHalt,
  type FailedAudit,
  type HaltDetails,
  haltMessage,
  InputError,
  type InputLocation,
  type JudgedTurn,
  SetupError,
} from './errors.js';
export { everyNth } from './every-nth.js';
export type { Feedback } from './feedback.js';
export type { Decision, Enforced, Gating, OnAlarm, OnAuditFailure } from './gate.js';
export { type JsonValue, toJsonValue } from './json.js';
export type { Plugin } from './plugin.js';
export { portableSchedule } from './portable-schedule.js';
export { Prefix, type TurnCount, type TurnIndex } from './prefix.js';
export { isAgentTurn } from './reading/speaker.js';
export { isTransferCall } from './reading/tool-calls.js';
export { type ToolResult, toolResults } from './reading/tool-results.js';
export {
  type AuditRecord,
  auditRecordSchema,
  type CloseRecord,
  type FailureRecord,
  type FeedbackRecord,
  type NoteRecord,
  RECORD_VERSION,
  type RunRecord,
  type TurnRecord,
  type VerdictRecord,
} from './record.js';
export type { FlushReport } from './record-keeper.js';
export type { Recorder } from './recorder.js';
export { type JsonlRecorder, jsonlRecorder } from './recorders/jsonl-recorder.js';
export { memoryRecorder } from './recorders/memory-recorder.js';
export { type PostgresLogOptions, postgresFault, postgresPlace } from './recorders/postgres-place.js';
export {
  type PostgresRecorder,
  type PostgresRecorderOptions,
  postgresRecorder,
} from './recorders/postgres-recorder.js';
export { type Redactor, type SecretRedactorOptions, secretRedactor } from './redact.js';
export { replayRuntime } from './replay-runtime.js';
export type { Replay, Replayer, ReplayRequest } from './replayer.js';
export type { Outcome, RunInfo, ToolSpec } from './run-info.js';
export { type PostgresRunLog, postgresRunLog } from './run-log/postgres-log.js';
export { readFeedback } from './run-log/read-feedback.js';
export type { LogLines, RawLine, RunLog } from './run-log/read-lines.js';
export {
  type NumberedRecord,
  type ReadOptions,
  readRecords,
} from './run-log/read-records.js';
export { type LoggedRun, readRuns } from './run-log/read-runs.js';
export { createRuntime, type Runtime, type RuntimeOptions, requireRuntime } from './runtime.js';
export { sampled } from './sampling.js';
export { everyTurn, type Schedule } from './schedule.js';
export type { AuditSession } from './session.js';
export { Trajectory, type UnplacedTurn } from './trajectory.js';
export {
  type AfTrajTurn,
  DEFAULT_MAX_TURN_BYTES,
  type ToolCall,
  type Turn,
  type TurnInput,
  type TurnKind,
  toAfTrajTurn,
  turnInputSchema,
  turnSchema,
  type Usage,
} from './turn.js';
export { type PathSegment, precedes, type TurnPath } from './turn-path.js';
export { type Alarm, type Continue, type Verdict, verdictSchema } from './verdict.js';
