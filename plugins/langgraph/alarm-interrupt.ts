import { randomUUID } from 'node:crypto';
import { GraphInterrupt, type Interrupt } from '@langchain/langgraph';
import { type HaltDetails, pathKey, type TurnPath } from '../../core/index.js';

/** What a paused run asks its human, under `__interrupt__` beside the host's own questions. */
export interface AlarmQuestion {
  readonly type: 'audit_alarm';
  readonly runId: string;
  /** 0-based step, agent and reason, as the auditor said. */
  readonly step: number;
  readonly agent: string;
  readonly reason: string;
  /** The blamed turn. */
  readonly turnId: string;
}

export function isAlarmQuestion(value: unknown): value is AlarmQuestion {
  return typeof value === 'object' && value !== null && 'type' in value && value.type === 'audit_alarm';
}

/** LangChain prints the throws of callback handlers; the line should say what happened. */
class AuditPause extends GraphInterrupt {
  override toString(): string {
    const [question] = this.interrupts as readonly Interrupt<AlarmQuestion>[];
    const { step, agent, reason } = question?.value ?? {};
    return question
      ? `AuditPause: audit alarm at step ${step} (${agent}): ${reason}`
      : 'AuditPause: the run waits for a human';
  }
}

/**
 * A run paused on an alarm, in LangGraph's own terms: an interrupt at the start of every node that would go on. One of
 * them carries the question, so that a human sees it once; the others are empty.
 */
export class AlarmInterrupt {
  readonly #interrupt: Interrupt<AlarmQuestion>;
  /** Where the question has been put, as long as nothing has swallowed it. */
  #carrier: TurnPath | undefined;

  /** @param id of an interrupt that the checkpoint has already, if the pause outlasts a resume */
  constructor(question: AlarmQuestion, id: string = newInterruptId()) {
    this.#interrupt = { id, value: question };
  }

  /** Whether a human will see the question. Middleware that swallows every throw can keep it from them. */
  get isAsked(): boolean {
    return this.#carrier !== undefined;
  }

  /** What to throw at `path`. */
  at(path: TurnPath): GraphInterrupt {
    const asks = this.#carrier === undefined || pathKey(this.#carrier) === pathKey(path);
    if (asks) this.#carrier = path;
    return new AuditPause(asks ? [this.#interrupt] : []);
  }

  /** A task came to an end of its own: a question from inside it has not got through. */
  taskEnded(path: TurnPath): void {
    const key = pathKey(path);
    if (this.#carrier && pathKey(this.#carrier.slice(0, path.length)) === key) this.#carrier = undefined;
  }
}

export function alarmQuestion({ runId, alarm, turns }: HaltDetails): AlarmQuestion | undefined {
  if (!alarm) return undefined;
  const { step, agent, reason } = alarm;
  return { type: 'audit_alarm', runId, step, agent, reason, turnId: turns[step]?.id ?? '' };
}

/** LangGraph takes keys of 32 hexadecimal digits for ids of interrupts, and anything else for an answer. */
function newInterruptId(): string {
  return randomUUID().replaceAll('-', '');
}
