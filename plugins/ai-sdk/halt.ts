import { AISDKError, NoOutputGeneratedError } from 'ai';
import {
  type Alarm,
  brandAuditHalt,
  type FailedAudit,
  type HaltDetails,
  haltMessage,
  type JudgedTurn,
  type Stop,
  type Turn,
} from '../../core/index.js';

const name = 'AI_AuditHaltError';
const marker = `vercel.ai.error.${name}`;

/**
 * The halt as one of the SDK's own errors, which no retry of the SDK's repeats. Promises reject with it, and streams have
 * it as an `error` part. Of all errors, this kind alone also rejects every promise of a stream's result: of another
 * one, `await result.text` would give the words up to the halt as if they were the answer.
 * `error instanceof AuditHalt` holds, too.
 */
export class AuditHaltError extends NoOutputGeneratedError implements HaltDetails {
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(details: HaltDetails, cause?: unknown) {
    super({ message: haltMessage(details), ...(cause instanceof Error ? { cause } : {}) });
    this.name = name;
    this.alarm = details.alarm;
    this.failure = details.failure;
    this.runId = details.runId;
    this.turns = details.turns;
    this.verdicts = details.verdicts;
    Object.defineProperty(this, Symbol.for(marker), { value: true });
    brandAuditHalt(this);
  }

  /** Holds across copies of this package, as the SDK's own do. */
  static override isInstance(error: unknown): error is AuditHaltError {
    return AISDKError.hasMarker(error, marker);
  }
}

/** @throws AuditHaltError when the run was stopped */
export function haltOn(stop: Stop | undefined): void {
  if (stop) throw new AuditHaltError(stop.halt);
}
