import type { Auditor, AuditRequest } from '../auditor.js';
import { everyTurn, type Schedule } from '../schedule.js';
import type { Turn } from '../turn.js';
import type { Verdict } from '../verdict.js';

/** One reply of a script: a verdict (or nonsense), an error to throw, or a function of the request that may take its time. */
export type ScriptedReply = unknown | Error | ((request: AuditRequest, signal: AbortSignal) => unknown);

/** A request as the auditor saw it, with the prefix copied out. */
export interface SeenRequest extends Omit<AuditRequest, 'prefix'> {
  readonly turns: readonly Turn[];
}

/**
 * An auditor that says what the test tells it to, remembers what it was asked, and complains about a script that was
 * not used up. It is asked at every turn.
 *
 * @example
 * const auditor = new ScriptedAuditor([proceed, { kind: 'alarm', step: 1, agent: 'solver', reason: 'wrong sum' }]);
 * const app = withAuditor(graph, createRuntime({ auditor }));
 * …
 * auditor.assertComplete();
 */
export class ScriptedAuditor implements Auditor {
  readonly name = 'scripted';
  readonly schedule: Schedule = everyTurn();
  readonly requests: SeenRequest[] = [];
  readonly #script: ScriptedReply[];
  readonly #afterwards: ScriptedReply;

  /**
   * @param script one reply per request, in the order of the requests
   * @param afterwards the reply to every request after the script; without it such a request throws
   */
  constructor(script: readonly ScriptedReply[], afterwards?: ScriptedReply) {
    this.#script = [...script];
    this.#afterwards = afterwards;
  }

  audit(request: AuditRequest, { signal }: { readonly signal: AbortSignal }): Verdict | Promise<Verdict> {
    const { prefix, ...rest } = request;
    this.requests.push({ ...rest, turns: [...prefix] });
    const reply = this.#script.length > 0 ? this.#script.shift() : this.#afterwards;
    if (reply === undefined) throw new Error(`the script has no reply for request ${this.requests.length}`);
    if (reply instanceof Error) throw reply;
    return (typeof reply === 'function' ? reply(request, signal) : reply) as Verdict;
  }

  /** @throws Error when replies are left over */
  assertComplete(): void {
    if (this.#script.length > 0)
      throw new Error(`${this.#script.length} scripted replies were never asked for`);
  }
}

/** The verdict that lets a run go on. */
export const proceed: Verdict = { kind: 'continue' };

/** An auditor that always lets the run go on: what a hook costs, and what it changes, is measured against it. */
export function approvingAuditor(): ScriptedAuditor {
  return new ScriptedAuditor([], proceed);
}
