import { setImmediate as aTick } from 'node:timers/promises';
import type { AgentRun, Outcome, RunStart, Stop } from '../../core/index.js';
import type { AgentWork } from './agent-work.js';
import { rememberWaiting } from './waiting-runs.js';

/** One audited call of a hooked agent or function, with all the SDK's calls inside it. */
export class HostRun {
  readonly run: AgentRun;
  /** Ids of the approvals for which the outermost agents wait. */
  readonly approvals = new Set<string>();
  readonly #start: Partial<RunStart>;
  readonly #working = new Set<AgentWork>();
  #hasSeenAgents = false;
  #lastOutcome: Outcome = { status: 'completed' };
  #endsWithItsStreams = false;

  readonly signal: AbortSignal | undefined;

  /** @param start what the call itself says of the task; without one, the first agent's messages tell it */
  constructor(run: AgentRun, start: Partial<RunStart>, signal: AbortSignal | undefined) {
    this.run = run;
    this.signal = signal;
    this.#start = start;
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
    if (this.#endsWithItsStreams && this.#working.size === 0) void this.end(outcome);
  }

  /** What was called has returned a stream that still flows, or is about to. */
  async endWithStreams(): Promise<void> {
    await aTick(); // an agent begins a few microtasks after its stream is there
    this.#endsWithItsStreams = true;
    if (this.#hasSeenAgents && this.#working.size === 0) await this.end(this.#lastOutcome);
  }

  async end(outcome: Outcome): Promise<Stop | undefined> {
    const isCompleted = outcome.status === 'completed';
    const isWaiting = isCompleted && this.approvals.size > 0;
    const stop = await this.run.end(isWaiting ? { status: 'interrupted' } : outcome);
    if (isWaiting) rememberWaiting(this.approvals, this.run);
    if (isCompleted && !this.#hasSeenAgents) this.#reportUnseen();
    return stop;
  }

  #reportUnseen(): void {
    this.run.runtime.diagnostics.report({
      code: 'agent-not-hooked',
      message:
        'no model call of this run was seen. Where a call sets telemetry.isEnabled to false or brings telemetry.integrations of its own, hook the agent or the function of the SDK itself',
      runId: this.run.runId,
    });
  }
}
