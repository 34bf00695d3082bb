import { GraphDrained } from '@langchain/langgraph';
import {
  type Alarm,
  brandAuditHalt,
  type FailedAudit,
  type HaltDetails,
  haltMessage,
  type JudgedTurn,
  type Turn,
} from '../../core/index.js';

/**
 * The halt in LangGraph's own terms: of all that a node may throw, only a drained graph is neither retried, nor handed
 * to an error handler, nor taken for the graph's normal end, and lets the steps that are done be saved.
 * `error instanceof AuditHalt` holds. Its `name` stays `GraphDrained`, by which LangGraph knows it.
 */
export class GraphAuditHalt extends GraphDrained implements HaltDetails {
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(details: HaltDetails) {
    super(haltMessage(details));
    this.message = haltMessage(details);
    this.alarm = details.alarm;
    this.failure = details.failure;
    this.runId = details.runId;
    this.turns = details.turns;
    this.verdicts = details.verdicts;
    brandAuditHalt(this);
  }

  /** LangChain prints the throws of callback handlers; the line should say what happened. */
  override toString(): string {
    return `AuditHalt: ${this.message}`;
  }
}
