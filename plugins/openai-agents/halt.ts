import { AgentsError, type RunState } from '@openai/agents';
import {
  type Alarm,
  brandAuditHalt,
  type FailedAudit,
  type HaltDetails,
  haltMessage,
  type JudgedTurn,
  type Turn,
} from '../../core/index.js';

/** What the SDK's own tripwire errors call `result`: what tripped. */
export interface TripwireResult {
  readonly step: number | undefined;
  readonly agent: string | undefined;
  readonly reason: string;
}

/**
 * The halt in the SDK's own terms, beside `OutputGuardrailTripwireTriggered`; `error instanceof AuditHalt` holds.
 * Where `state` is set, `runner.run(agent, error.state)` overrides the alarm and goes on.
 */
export class AuditorTripwireTriggered extends AgentsError implements HaltDetails {
  readonly result: TripwireResult;
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(details: HaltDetails, state?: AnyRunState) {
    super(haltMessage(details), state);
    // Or else whoever prints the error prints the whole state.
    Object.defineProperty(this, 'state', { value: state, writable: true, configurable: true });
    const { alarm, failure } = details;
    this.result = {
      step: alarm?.step ?? failure?.step,
      agent: alarm?.agent,
      reason: alarm?.reason ?? failure?.failure.message ?? '',
    };
    this.alarm = alarm;
    this.failure = failure;
    this.runId = details.runId;
    this.turns = details.turns;
    this.verdicts = details.verdicts;
    brandAuditHalt(this);
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the SDK's own bound of an agent.
export type AnyRunState = RunState<any, any>;
