import { AISDKError } from 'ai';
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
 * The halt as one of the SDK's own errors: promises reject with it, streams end with it. It is none that the SDK retries.
 * `error instanceof AuditHalt` holds, too.
 */
export class AuditHaltError extends AISDKError implements HaltDetails {
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(details: HaltDetails, cause?: unknown) {
    super({ name, message: haltMessage(details), cause });
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
