import { type ModelRequest, RunState, type StreamedRunResult } from '@openai/agents';
import { AuditHalt } from '../../core/index.js';
import { type AgentAtWork, AgentLoop } from './agent-loop.js';
import type { AnyRunState } from './halt.js';
import { holdStream } from './hold-stream.js';
import type { RootRun } from './root-run.js';
import { isRunState, savedRuns } from './saved-runs.js';
import { type Scope, scopes, twinCalls } from './scope.js';
import { type Method, ownerOf, tapMethod } from './tap.js';
import type { Response } from './to-turn.js';

/** What of a runner is read here. */
interface RunnerParts {
  readonly config?: { readonly model?: unknown; readonly modelProvider?: unknown };
}

interface NewItem {
  readonly rawItem?: unknown;
  readonly agent?: AgentAtWork;
}

interface RunOutcome {
  readonly state?: AnyRunState;
  readonly newItems: readonly NewItem[];
  readonly interruptions?: readonly unknown[];
  readonly rawResponses: readonly unknown[];
}

/**
 * Taps a class of runners, once: the runs of any runner, those that the SDK makes for agents in tools included, and which
 * agent is at work. Nothing that belongs to the user is changed, and outside an audited run nothing happens.
 */
export function tapRunners(prototype: object): void {
  tapMethod(prototype, 'run', (run, runner, args) => {
    const scope = scopes.getStore();
    const twin = scope ? undefined : twinCalls.getStore();
    if (twin?.runner === runner)
      return twin.begins(args, () => auditedRun(scopes.getStore() as Scope, run, runner, args));
    if (!scope) return run(...args);
    const { root } = scope;
    if (!root.run.isOver || root.run.stopped) return auditedRun(scope, run, runner, args);
    const [agent] = args as [AgentAtWork];
    root.unhooked(
      `${agent.name} began when its run was over, so it is not audited. Await it, or hook its runner`,
    );
    return scopes.exit(() => run(...args));
  });
  tapMethod(
    prototype,
    'emit',
    (emit, _runner, args) => {
      const { loop, root } = scopes.getStore() ?? {};
      if (loop && root) hear(loop, root, args);
      return emit(...args);
    },
    true,
  );
  // The SDK says nowhere else which state a run is kept in, and a halted run can be taken up by nothing else.
  tapMethod(RunState.prototype, 'setReasoningItemIdPolicy', (set, state, args) => {
    const loop = scopes.getStore()?.loop;
    if (loop) loop.state ??= state as AnyRunState;
    return set(...args);
  });
}

async function auditedRun(
  { root, site }: Scope,
  run: Method,
  runner: RunnerParts,
  args: readonly unknown[],
): Promise<unknown> {
  const [first, input] = args as [AgentAtWork, unknown];
  const state = isRunState(input) ? input : undefined;
  const agent: AgentAtWork = state?._currentAgent ?? first;
  const call = root.run.begin(agent.name, site);
  const loop = new AgentLoop(root, call, agent);
  root.loops++;
  if (state) loop.resumes(state);
  tapModel(runner.config?.model, root);
  tapProvider(runner.config?.modelProvider, root);
  enter(loop, agent, root);
  const before = state?._modelResponses.length ?? 0;
  let isStream = false;
  try {
    const result = (await scopes.run({ root, site: call.site, loop }, () => run(...args))) as RunOutcome;
    const after = () => {
      if (result.state && result.interruptions?.length) savedRuns.set(result.state, { run: root.run });
      if (loop.heard < result.rawResponses.length - before) warnUnheard(root, loop, result.newItems);
    };
    isStream = '_done' in result;
    if (isStream) holdStream(result as unknown as StreamedRunResult<never, never>, root, loop, after);
    else {
      await loop.ends(result.newItems, (result.interruptions?.length ?? 0) > 0);
      after();
    }
    return result;
  } catch (error) {
    loop.fails();
    throw error;
  } finally {
    if (!isStream) loop.leave();
  }
}

/** What the SDK tells the listeners of a runner. */
function hear(
  loop: AgentLoop,
  root: RootRun,
  [event, , agent, next, result, details]: readonly unknown[],
): void {
  // For the first agent and after each handoff, before the agent's model is looked up.
  if (event === 'agent_start') enter(loop, agent as AgentAtWork, root);
  else if (event === 'agent_handoff') loop.handsOver(next as AgentAtWork);
  else if (event === 'agent_tool_end') {
    const { toolCall } = (details ?? {}) as { readonly toolCall?: { readonly callId?: unknown } };
    loop.ran(String(toolCall?.callId), result);
  }
}

function enter(loop: AgentLoop, agent: AgentAtWork, root: RootRun): void {
  loop.enters(agent);
  tapModel(agent.model, root);
}

/** Models are asked through their class; an object with methods of its own, through those. */
function tapModel(model: unknown, root: RootRun): void {
  if (typeof model !== 'object' || model === null) return;
  const whole = tapMethod(model, 'getResponse', (ask, _model, [request]) => {
    const loop = scopes.getStore()?.loop;
    if (!loop?.isOwn(request as object)) return ask(request);
    return loop.ask(request as ModelRequest, (asked) => ask(asked) as Promise<Response>);
  });
  const streamed = tapMethod(model, 'getStreamedResponse', (ask, _model, [request]) => {
    const loop = scopes.getStore()?.loop;
    if (!loop?.isOwn(request as object)) return ask(request);
    return loop.askStreamed(request as ModelRequest, (asked) => ask(asked) as AsyncIterable<unknown>);
  });
  const advised = 'getRetryAdvice' in model ? model : ownerOf(model, 'getResponse');
  tapMethod(
    advised,
    'getRetryAdvice',
    (advise, _model, [failed]) => adviceOn(failed, advise),
    advised !== model,
  );
  if (whole && streamed) return;
  reportDeaf(
    model,
    root,
    'a model could not be hooked, so what it says is not audited. Pass one that is not frozen',
  );
}

/** A retry policy would take a halt for a failed request, and wait before it runs into the same halt again. */
function adviceOn(failed: unknown, advise: Method): unknown {
  const { error } = failed as { readonly error?: unknown };
  return error instanceof AuditHalt ? { suggested: false, replaySafety: 'unsafe' } : advise(failed);
}

function tapProvider(provider: unknown, root: RootRun): void {
  if (typeof provider !== 'object' || provider === null) return;
  const tapped = tapMethod(provider, 'getModel', (getModel, _provider, args) => {
    const found = getModel(...args);
    const scope = scopes.getStore();
    if (!scope) return found;
    const heard = (model: unknown) => {
      tapModel(model, scope.root);
      return model;
    };
    const isPromise = typeof (found as PromiseLike<unknown> | undefined)?.then === 'function';
    return isPromise ? Promise.resolve(found).then(heard) : heard(found);
  });
  if (tapped) return;
  const message =
    'a model provider could not be hooked, so what its models say is not audited. Pass one that is not frozen';
  reportDeaf(provider, root, message);
}

function reportDeaf(host: object, root: RootRun, message: string): void {
  if (root.deaf.has(host)) return;
  root.deaf.add(host);
  root.unhooked(message);
}

function warnUnheard(root: RootRun, loop: AgentLoop, items: readonly NewItem[]): void {
  const spoke = new Set(items.flatMap(({ agent }) => (agent ? [agent.name] : [])));
  const unheard = [...spoke].filter((name) => !loop.speakers.has(name)).join(', ') || 'an agent';
  root.unhooked(
    `the model of ${unheard} was asked where the hook cannot see it. Set it as the agent's or the runner's model`,
  );
}
