import { Runner } from '@openai/agents';
import { type Plugin, type Runtime, requireRuntime, SetupError } from '../../core/index.js';
import { tapRunners } from './hook.js';
import { RootRun } from './root-run.js';
import { isRunState } from './saved-runs.js';
import { type Scope, scopes, type TwinCall, twinCalls } from './scope.js';

export { AuditorTripwireTriggered, type TripwireResult } from './halt.js';

/** A function whose agents run by `run` or a `Runner`; `run` itself is one. */
export type FunctionHost = (...args: never[]) => Promise<unknown>;

export interface FunctionOptions {
  /**
   * Under `gating: 'overlap'`, the function's own code between two agents runs before the verdict on the first. What it
   * returns waits in any case. Default: it waits.
   */
  readonly audit?: 'overlap' | undefined;
}

export const openaiAgentsPlugin: Plugin<Runner | FunctionHost> = {
  framework: 'openai-agents',
  hook: withAuditor,
};

/**
 * Returns the audited twin of a runner, or of a function that runs agents; the host itself stays as it was. All agents
 * inside are seen: handoffs, agents in tools, agents side by side. Each call is a run of its own.
 *
 * When the auditor raises an alarm, no tool, handoff or model call follows, and the run rejects with
 * {@link AuditorTripwireTriggered} (an `AuditHalt`), streamed or not.
 *
 * @example
 * const runner = withAuditor(new Runner(), createRuntime());
 * const solve = withAuditor(async (task: string) => (await run(solver, await plan(task))).finalOutput, createRuntime());
 * @throws SetupError for what is neither, or no runtime
 */
export function withAuditor<Host extends Runner>(host: Host, runtime: Runtime): Host;
export function withAuditor<Host extends FunctionHost>(
  host: Host,
  runtime: Runtime,
  options?: FunctionOptions,
): Host;
export function withAuditor<Host extends Runner | FunctionHost>(host: Host, runtime: Runtime): Host;
export function withAuditor(host: object, runtime: Runtime, { audit }: FunctionOptions = {}): object {
  requireHost(host);
  requireRuntime('openai-agents', runtime);
  tapRunners(Runner.prototype);
  const answersOverlap = audit === 'overlap';
  if (typeof host === 'function') {
    return new Proxy(host, {
      apply(call, self, args: unknown[]) {
        const [first] = args;
        const task = typeof first === 'string' ? first : undefined;
        const ask = () => Reflect.apply(call, self, args);
        const isLane = !isAgent(first); // the SDK's own run is given an agent
        return begun(runtime, args, { answersOverlap, task, isLane }, ask);
      },
    });
  }
  tapRunners(runnerClassOf(host));
  const begins: TwinCall['begins'] = (args, ask) => begun(runtime, args, { answersOverlap }, ask);
  const run = (...args: unknown[]) => begins(args, () => Reflect.apply(Reflect.get(host, 'run'), host, args));
  return new Proxy(host, {
    get(runner, name) {
      if (name === 'run') return run;
      const value = Reflect.get(runner, name);
      if (typeof value !== 'function' || name === 'constructor') return value;
      // Private fields are the runner's, not its twin's.
      return (...args: unknown[]) =>
        twinCalls.run({ runner, begins }, () => Reflect.apply(value, runner, args));
    },
  });
}

interface Begin {
  readonly answersOverlap: boolean;
  readonly task?: string | undefined;
  readonly isLane?: boolean;
}

/** Inside a run of the same runtime a call belongs to that run. */
function begun(
  runtime: Runtime,
  args: readonly unknown[],
  { answersOverlap, task, isLane = false }: Begin,
  host: () => Promise<unknown>,
): Promise<unknown> {
  const scope = scopes.getStore();
  if (scope && joins(scope.root, runtime)) return isLane ? lane(scope, host) : host();
  const signal = args.map((arg) => (arg as { signal?: unknown } | undefined)?.signal).find(isSignal);
  const state = args.find(isRunState);
  return new RootRun(runtime, { answersOverlap, signal, state, task }).carry(host);
}

/** What a run has left behind, a filled pool say, begins runs of its own; what a halted one has, is halted. */
function joins(root: RootRun, runtime: Runtime): boolean {
  if (root.runtime === runtime) return !root.run.isOver || root.run.stopped !== undefined;
  if (!root.run.isOver) root.lacks();
  return false;
}

/** A function within a run is a place of its own: its agents follow one another, whatever else is at work beside it. */
async function lane<Result>({ root, site }: Scope, host: () => Promise<Result>): Promise<Result> {
  const place = root.run.begin('lane', site);
  try {
    return await scopes.run({ root, site: place.site }, host);
  } finally {
    place.leave();
  }
}

/** The SDK's own class, of whichever copy, under those that the user derived from it. */
function runnerClassOf(runner: object): object {
  let found = Runner.prototype as object;
  for (let owner: object | null = runner; owner; owner = Object.getPrototypeOf(owner)) {
    if (Object.hasOwn(owner, 'run') && Object.hasOwn(owner, 'constructor')) found = owner;
  }
  return found;
}

function isAgent(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'handoffs' in value;
}

function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal;
}

/** @throws SetupError */
function requireHost(host: unknown): void {
  const fault = (what: string, remedy: string) => new SetupError('openai-agents', what, remedy);
  const has = (name: string) => typeof host === 'object' && host !== null && name in host;
  const remedy = 'Pass a Runner, the SDK’s run, or an async function that runs agents';
  if (has('transport') || (has('voice') && has('handoffs'))) {
    throw fault('a realtime session speaks before anybody can judge it', remedy);
  }
  if (isAgent(host)) throw fault('this is an agent', remedy);
  if (typeof host !== 'function' && !(has('run') && has('config'))) throw fault('this is no runner', remedy);
}
