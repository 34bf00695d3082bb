export type { AuditFailure, AuditOptions, Auditor, AuditRequest, AuditResult } from './auditor.js';
export {
  AuditHalt,
  brandAuditHalt,
  type HaltDetails,
  haltMessage,
  InputError,
  type InputLocation,
  type JudgedTurn,
  SetupError,
} from './errors.js';
export { type JsonValue, toJsonValue } from './json.js';
export { Prefix, type TurnIndex } from './prefix.js';
export { type AuditRecord, auditRecordSchema, RECORD_VERSION } from './record.js';
export type { Recorder } from './recorder.js';
export type { Outcome, RunInfo, ToolSpec } from './run-info.js';
export { everyTurn, type Schedule } from './schedule.js';
export { Trajectory } from './trajectory.js';
export {
  type AfTrajTurn,
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
