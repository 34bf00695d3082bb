import { type AgentRun, AuditHalt, CallSite, pathKey, type Stop } from '../../core/index.js';
import type { Scope } from './scope.js';
import { type StepContext, watchedContext } from './step-context.js';
import type { WorkflowScope } from './workflow-scope.js';

/** What a stopped step has left for the run that takes it up, where Mastra saves it. */
export interface KeptWork {
  readonly stepId: string;
  /** Absent where the step was stopped before it was done: then it is done. */
  readonly output?: unknown;
  /** Of a `foreach`: what has come of its items by then, by their index. */
  readonly items?: Readonly<Record<string, unknown>>;
}

/** What a step that suspends itself must say, which Mastra checks. */
interface Suspending {
  suspendSchema?: unknown;
}

/**
 * - `code`: a step of plain code, a tool's or a classifier's: its output is a turn.
 * - `agent`: an agent, which tells its words itself.
 * - `team`: a workflow within a workflow.
 */
export type StepKind = 'code' | 'agent' | 'team';

/** One step of a workflow at work, once: in a loop there is another for each round. */
export class StepAtWork implements Scope {
  readonly run: AgentRun;
  readonly site: CallSite;
  /** Of the run, where the step is a workflow's that belongs to it, called by no agent. */
  readonly root: WorkflowScope | undefined;
  /** Set when a halt has stopped the step. */
  kept: KeptWork | undefined;
  readonly #id: string;
  readonly #kind: StepKind;
  readonly #caller: CallSite;

  /**
   * Lanes are numbered by the order in which steps are set to work, which is the graph's.
   * @param item of a `foreach`, its index
   */
  constructor(
    id: string,
    kind: StepKind,
    { run, site, root }: Scope & { readonly root?: WorkflowScope },
    item?: number,
  ) {
    this.run = run;
    this.site = new CallSite(site.enter(), run.callCounts, kind === 'agent');
    this.root = root;
    this.#id = id;
    this.#kind = kind;
    this.#caller = site;
    root?.noteStep(id, this.site.path, item);
  }

  /**
   * Does the step, tells what it has done, and waits for the verdict.
   * @param done what an earlier run has left of it: then it is not done again
   * @throws AuditHalt where the run is stopped for good
   */
  async work(
    execute: (context: StepContext) => unknown,
    step: Suspending,
    context: StepContext,
    done: KeptWork | undefined,
  ): Promise<unknown> {
    if (done?.stepId === this.#id && 'output' in done) return done.output;
    const stopped = (stop: Stop, left: { readonly output?: unknown }) =>
      this.#stopped(stop, step, suspend, left);
    const { suspend, bail } = context;
    const before = this.#kind === 'code' ? await this.#settled() : this.run.stopped;
    if (before) return stopped(before, {});
    let isSuspended = false;
    let bailed: { readonly output: unknown } | undefined;
    const watched = watchedContext(context, {
      suspend: (...args) => {
        isSuspended = true;
        return suspend(...args);
      },
      bail: (output) => {
        bailed = { output };
        return bail(output);
      },
    });
    let output: unknown;
    try {
      output = await execute(watched);
    } catch (error) {
      if (this.run.stopped) return stopped(this.run.stopped, {});
      throw error;
    }
    // Its code has got no answer from an agent that was halted, and may have made something of that.
    if (this.run.stopped && this.#kind === 'code' && this.#hasCalled()) return stopped(this.run.stopped, {});
    if (isSuspended) return output;
    if (this.#kind === 'code') this.#tell(bailed ? bailed.output : output);
    const after = this.#mayOverlap() ? this.run.stopped : await this.#settled();
    return after && !bailed ? stopped(after, { output }) : output;
  }

  leave(): void {
    this.#caller.leave();
  }

  #hasCalled(): boolean {
    return this.run.callCounts.has(pathKey(this.site.path));
  }

  #mayOverlap(): boolean {
    return this.run.gating === 'overlap' && this.#kind !== 'code';
  }

  #settled(): Promise<Stop | undefined> {
    return this.run.settled(this.site.path);
  }

  #tell(output: unknown): void {
    const { path } = this.site;
    const id = `${this.run.prefix}${pathKey(path)}#done`;
    this.run.tell(path, () => ({
      agent: this.#id,
      kind: 'state',
      content: JSON.stringify(output) ?? '',
      id,
    }));
  }

  async #stopped(
    stop: Stop,
    step: Suspending,
    suspend: StepContext['suspend'],
    left: { readonly output?: unknown },
  ): Promise<undefined> {
    const kept = { ...left, stepId: this.#id };
    if (stop.action !== 'pause') {
      this.kept = kept;
      throw new AuditHalt(stop.halt);
    }
    step.suspendSchema = undefined; // of what the host's own code says
    const { step: blamed, agent, reason } = stop.halt.alarm ?? {};
    await suspend({ auditor: { type: 'audit_alarm', step: blamed, agent, reason, ...kept } });
  }
}
