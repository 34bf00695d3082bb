import { setImmediate as aTick } from 'node:timers/promises';
import type { AgentRun, Outcome, RunStart, Stop } from '../../core/index.js';
import type { AgentWork } from './agent-work.js';
import { rememberWaiting } from './waiting-runs.js';

export interface HostRunOptions {
  /** What the call itself says of the task; without one, the first agent's messages tell it. */
  readonly start: Partial<RunStart>;
  readonly signal: AbortSignal | undefined;
  /** Whether it is no fault when no agent is seen at work. */
  readonly mayAskNobody: boolean;
}

/** One audited call of a hooked agent or function, with all the SDK's calls inside it. */
export class HostRun {
  readonly run: AgentRun;
  /** Ids of the approvals for which the outermost agents wait. */
  readonly approvals = new Set<string>();
  readonly signal: AbortSignal | undefined;
  readonly #start: Partial<RunStart>;
  readonly #mayAskNobody: boolean;
  readonly #working = new Set<AgentWork>();
  #hasSeenAgents = false;
  #lastOutcome: Outcome = { status: 'completed' };
  #endsWithAgents = false;
  #isLacking = false;

  constructor(run: AgentRun, { start, signal, mayAskNobody }: HostRunOptions) {
    this.run = run;
    this.signal = signal;
    this.#start = start;
    this.#mayAskNobody = mayAskNobody;
  }

  /** Whether nothing can join it any more. What joins a halted run is halted. */
  get isClosed(): boolean {
    return this.run.isOver && !this.run.stopped;
  }

  /** @param seen what is known once an agent begins */
  begins(work: AgentWork, seen: () => RunStart): void {
    this.#hasSeenAgents = true;
    this.#working.add(work);
    const { task, given, tools } = this.#start;
    this.run.open(task === undefined ? seen() : { task, given, tools: tools ?? seen().tools });
  }

  leaves(work: AgentWork, outcome: Outcome): void {
    this.#working.delete(work);
    this.#lastOutcome = outcome;
    if (this.#endsWithAgents && this.#working.size === 0) void this.end(outcome);
  }

  /** Whether agents are at work, or are about to be: one begins a few microtasks after its stream is there. */
  async isAtWork(): Promise<boolean> {
    if (this.#working.size === 0) await aTick();
    return this.#working.size > 0;
  }

  /** The call is over, but not what it has set to work. */
  async endWithAgents(): Promise<void> {
    await this.isAtWork();
    this.#endsWithAgents = true;
    if (this.#hasSeenAgents && this.#working.size === 0) await this.end(this.#lastOutcome);
  }

  async end(outcome: Outcome): Promise<Stop | undefined> {
    const isCompleted = outcome.status === 'completed';
    const isWaiting = isCompleted && this.approvals.size > 0;
    const stop = await this.run.end(isWaiting ? { status: 'interrupted' } : outcome);
    if (isWaiting) rememberWaiting(this.approvals, this.run);
    if (isCompleted && !this.#hasSeenAgents && !this.#mayAskNobody) this.#reportUnseen();
    return stop;
  }

  /** Agents inside are hooked with another runtime. */
  lacks(): void {
    this.#hasSeenAgents = true;
    if (this.#isLacking) return;
    this.#isLacking = true;
    this.unhooked('what was hooked with another runtime inside this run is not audited by this one. Use one');
  }

  unhooked(message: string): void {
    this.run.runtime.diagnostics.report({ code: 'agent-not-hooked', message, runId: this.run.runId });
  }

  #reportUnseen(): void {
    this.unhooked(
      'no model call of this run was seen. Where a call sets telemetry.isEnabled to false or brings telemetry.integrations of its own, hook the agent or the function of the SDK itself',
    );
  }
}
