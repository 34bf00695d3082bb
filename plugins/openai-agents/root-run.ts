import type { StreamedRunResult } from '@openai/agents';
import {
  AgentRun,
  AuditHalt,
  type Outcome,
  outcomeAfter,
  type Runtime,
  type Stop,
} from '../../core/index.js';
import { type AnyRunState, AuditorTripwireTriggered } from './halt.js';
import { startOfState } from './run-start.js';
import { savedRuns } from './saved-runs.js';
import { scopes } from './scope.js';

export interface RootOptions {
  readonly answersOverlap: boolean;
  readonly signal: AbortSignal | undefined;
  /** The saved state that the call takes up. */
  readonly state: AnyRunState | undefined;
  /** Known at once where the host is a function of the task. */
  readonly task: string | undefined;
}

/** One call of a hooked host, with all agents that run inside; streams may outlive the call, not the run. */
export class RootRun {
  readonly runtime: Runtime;
  readonly run: AgentRun;
  readonly #signal: AbortSignal | undefined;
  /** How many runs of runners began inside. */
  loops = 0;
  /** Models and providers that have been reported. */
  readonly deaf = new WeakSet<object>();
  #streams = 0;
  #returned = false;

  constructor(runtime: Runtime, { answersOverlap, signal, state, task }: RootOptions) {
    this.runtime = runtime;
    this.#signal = signal;
    const past = state && savedRuns.get(state)?.run.asPast();
    this.run = new AgentRun(runtime, {
      framework: 'openai-agents',
      can: ['recover'],
      answersOverlap,
      signal,
      past,
    });
    if (past) this.run.open({ task: past.task });
    else if (state) this.run.open(startOfState(state));
    else if (task !== undefined) this.run.open({ task });
  }

  /** @throws AuditorTripwireTriggered, or whatever the host throws */
  async carry<Result>(host: () => Promise<Result>): Promise<Result> {
    let result: Result;
    try {
      result = await scopes.run({ root: this, site: this.run.site }, host);
    } catch (error) {
      throw await this.#failed(error);
    }
    if (this.#streams > 0) {
      this.#returned = true;
      if (!isStream(result)) await this.#settled(result);
      return result;
    }
    if (this.loops === 0) this.#warnUnseen();
    const stop = await this.run.end({ status: waitsForHuman(result) ? 'interrupted' : 'completed' });
    if (stop) throw haltOf(stop, result);
    return result;
  }

  streamBegins(): void {
    this.#streams++;
  }

  /** @returns the halt, when the run ended with this stream and is halted at its very end */
  async streamEnds(stream: StreamedRunResult<unknown, never>): Promise<unknown> {
    if (--this.#streams > 0 || !this.#returned) return undefined;
    const status = stream.cancelled ? 'aborted' : waitsForHuman(stream) ? 'interrupted' : 'completed';
    const stop = await this.run.end({ status } satisfies Outcome);
    return stop && status !== 'aborted' ? haltOf(stop, stream) : undefined;
  }

  /** @returns what the stream fails with */
  async streamFails(error: unknown): Promise<unknown> {
    return --this.#streams > 0 || !this.#returned ? error : this.#failed(error);
  }

  /** What a function returns is no part of the streams that it has left running, and waits for its own verdicts. */
  async #settled(result: unknown): Promise<void> {
    const stop = await this.run.settled([]).catch(() => undefined); // an abort is the streams' to tell of
    if (stop) throw haltOf(stop, result);
  }

  /** A halt that user code wrapped in an error of its own is a halt. */
  async #failed(error: unknown): Promise<unknown> {
    const outcome = outcomeAfter(error, this.#signal);
    const stop = await this.run.end(outcome);
    if (outcome.status !== 'failed' || !stop || error instanceof AuditHalt) return error;
    return Object.assign(haltOf(stop, error), { cause: error });
  }

  /** Agents inside are hooked with another runtime. */
  lacks(): void {
    this.loops++;
    this.unhooked('what was hooked with another runtime inside this run is not audited by this one. Use one');
  }

  unhooked(message: string): void {
    this.runtime.diagnostics.report({ code: 'agent-not-hooked', message, runId: this.run.runId });
  }

  #warnUnseen(): void {
    this.unhooked(
      'no agent was seen to run. Call agents by the copy of @openai/agents that this plugin imports (an ES module), or hook a Runner',
    );
  }
}

function haltOf(stop: Stop, from: unknown): AuditorTripwireTriggered {
  return new AuditorTripwireTriggered(
    stop.halt,
    (from as { readonly state?: AnyRunState } | undefined)?.state,
  );
}

function isStream(result: unknown): boolean {
  return typeof result === 'object' && result !== null && '_done' in result;
}

function waitsForHuman(result: unknown): boolean {
  const { interruptions } = (result ?? {}) as { readonly interruptions?: unknown };
  return Array.isArray(interruptions) && interruptions.length > 0;
}
