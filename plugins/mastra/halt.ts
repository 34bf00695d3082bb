import { TripWire } from '@mastra/core/agent';
import {
  type Alarm,
  AuditHalt,
  brandAuditHalt,
  type FailedAudit,
  type HaltDetails,
  haltMessage,
  type JudgedTurn,
  type Turn,
} from '../../core/index.js';

/** Mastra's name for who has tripped. */
export const AUDITOR = 'auditor';

/** What a tripwire says of the halt. It goes wherever the result goes, to browsers too: so no trajectory. */
export interface HaltMetadata {
  /** The blamed turn; of a failed audit, the turn that it was to judge. 0-based; turn 0 is the task. */
  readonly step: number;
  /** Who is blamed; nobody, where an audit failed. */
  readonly agent: string | undefined;
  readonly reason: string;
  readonly runId: string;
}

/** How Mastra shows the halt: `result.tripwire` of agents and workflows, and the payload of a stream's `tripwire` chunk. */
export interface AuditorTripwire {
  readonly reason: string;
  readonly metadata: HaltMetadata;
  readonly processorId: typeof AUDITOR;
}

/** The halt in Mastra's own terms, where it has to be thrown. `error instanceof AuditHalt` holds. */
export class AuditTripWire extends TripWire<HaltMetadata> implements HaltDetails {
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(halt: HaltDetails) {
    super(haltMessage(halt), { metadata: haltMetadata(halt) }, AUDITOR);
    this.alarm = halt.alarm;
    this.failure = halt.failure;
    this.runId = halt.runId;
    this.turns = halt.turns;
    this.verdicts = halt.verdicts;
    brandAuditHalt(this);
  }
}

/** Halts of this process, by the run's id in the log, or Mastra's own where it waits; the oldest are let go. */
const halts = new Map<string, AuditHalt>();
const MOST_HALTS = 256;

export function keepHalt(runId: string, halt: HaltDetails): void {
  halts.delete(runId);
  halts.set(runId, new AuditHalt(halt));
  for (const oldest of halts.keys()) {
    if (halts.size <= MOST_HALTS) break;
    halts.delete(oldest);
  }
}

export function haltMetadata(halt: HaltDetails): HaltMetadata {
  const { runId, alarm, failure } = halt;
  keepHalt(runId, halt);
  if (alarm) return { step: alarm.step, agent: alarm.agent, reason: alarm.reason, runId };
  return { step: failure?.step ?? 0, agent: undefined, reason: failure?.failure.message ?? '', runId };
}

export function tripwireOf(halt: HaltDetails): AuditorTripwire {
  return { reason: haltMessage(halt), metadata: haltMetadata(halt), processorId: AUDITOR };
}

/**
 * Whether the auditor has halted it: an agent's result or stream output, a workflow's result, or a chunk of a stream.
 *
 * @example
 * const result = await agent.generate('What is 17 + 23?');
 * if (isAuditorTripwire(result)) console.log(result.tripwire.metadata); // { step, agent, reason, runId }
 */
export function isAuditorTripwire<Chunk extends { readonly type: string }>(
  chunk: Chunk,
): chunk is Chunk & { readonly type: 'tripwire'; readonly payload: AuditorTripwire };
export function isAuditorTripwire<Result extends object>(
  result: Result,
): result is Result & { readonly tripwire: AuditorTripwire };
export function isAuditorTripwire(value: object): boolean {
  return tripwireIn(value) !== undefined;
}

/**
 * The whole halt, with its turns and verdicts; of the last 256 halted runs of this process. Also of a result that waits
 * for an approval because the auditor has raised an alarm, under `onAlarm: 'pause'`.
 * @returns nothing for what the auditor has not stopped, or another process has
 */
export function auditHalt(value: object): AuditHalt | undefined {
  const tripwire = tripwireIn(value);
  if (tripwire) return halts.get(tripwire.metadata.runId);
  return isSuspended(value) || isNetwork(value) ? halts.get(value.runId) : undefined;
}

/** A network's stream fails without a word of why. */
function isNetwork(value: object): value is { readonly runId: string } {
  return value instanceof ReadableStream && 'runId' in value;
}

function isSuspended(value: object): value is { readonly runId: string } {
  const { runId, status, finishReason } = value as Readonly<Record<string, unknown>>;
  return typeof runId === 'string' && (status === 'suspended' || finishReason === 'suspended');
}

function tripwireIn(value: object): AuditorTripwire | undefined {
  const tripwire = 'tripwire' in value ? value.tripwire : isChunk(value) ? value.payload : undefined;
  return isObject(tripwire) && 'processorId' in tripwire && tripwire.processorId === AUDITOR
    ? (tripwire as AuditorTripwire)
    : undefined;
}

function isChunk(value: object): value is { readonly payload: unknown } {
  return 'type' in value && value.type === 'tripwire' && 'payload' in value;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
