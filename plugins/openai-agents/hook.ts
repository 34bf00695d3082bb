import { type ModelRequest, RunState, type StreamedRunResult } from '@openai/agents';
import { AuditHalt, type Runtime } from '../../core/index.js';
import { type AgentAtWork, AgentLoop } from './agent-loop.js';
import type { AnyRunState } from './halt.js';
import { holdStream } from './hold-stream.js';
import type { RootRun } from './root-run.js';
import { isRunState, savedRuns } from './saved-runs.js';
import { scopes } from './scope.js';
import { type Method, ownerOf, tapMethod } from './tap.js';
import type { Response } from './to-turn.js';

/** What of a runner is read here. */
interface RunnerParts {
  readonly config?: { readonly model?: unknown; readonly modelProvider?: unknown };
}

interface RunOutcome {
  readonly state?: AnyRunState;
  readonly newItems: readonly { readonly rawItem?: unknown }[];
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
    return scope ? auditedRun(run, runner, args) : run(...args);
  });
  tapMethod(
    prototype,
    'emit',
    (emit, _runner, args) => {
      const loop = scopes.getStore()?.loop;
      if (loop) hear(loop, args);
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

async function auditedRun(run: Method, runner: RunnerParts, args: readonly unknown[]): Promise<unknown> {
  const { root, site } = scopes.getStore() as NonNullable<ReturnType<typeof scopes.getStore>>;
  const [first, input] = args as [AgentAtWork, unknown];
  const state = isRunState(input) ? input : undefined;
  const agent: AgentAtWork = state?._currentAgent ?? first;
  const call = root.run.begin(agent.name, site);
  const loop = new AgentLoop(root, call, agent);
  root.loops++;
  if (state) loop.resumes(state);
  tapModel(runner.config?.model, root.runtime);
  tapProvider(runner.config?.modelProvider, root.runtime);
  enter(loop, agent);
  const before = state?._modelResponses.length ?? 0;
  let isStream = false;
  try {
    const result = (await scopes.run({ root, site: call.site, loop }, () => run(...args))) as RunOutcome;
    const after = () => {
      if (result.state && result.interruptions?.length) savedRuns.set(result.state, { run: root.run });
      if (loop.heard === 0 && result.rawResponses.length > before) warnUnheard(root, agent);
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
function hear(loop: AgentLoop, [event, , agent, next, result, details]: readonly unknown[]): void {
  // For the first agent and after each handoff, before the agent's model is looked up.
  if (event === 'agent_start') enter(loop, agent as AgentAtWork);
  else if (event === 'agent_handoff') loop.handsOver(next as AgentAtWork);
  else if (event === 'agent_tool_end') {
    const { toolCall } = (details ?? {}) as { readonly toolCall?: { readonly callId?: unknown } };
    loop.ran(String(toolCall?.callId), result);
  }
}

function enter(loop: AgentLoop, agent: AgentAtWork): void {
  loop.enters(agent);
  const runtime = scopes.getStore()?.root.runtime;
  if (runtime) tapModel(agent.model, runtime);
}

const tappedModels = new WeakSet<object>();

/** Models are asked through their class; an object with methods of its own, through those. */
function tapModel(model: unknown, runtime: Runtime): void {
  if (typeof model !== 'object' || model === null || tappedModels.has(model)) return;
  tappedModels.add(model);
  const whole = tapMethod(model, 'getResponse', (ask, _model, [request]) => {
    const loop = scopes.getStore()?.loop;
    if (!loop || loop.asking) return ask(request);
    return loop.ask(request as ModelRequest, (asked) => ask(asked) as Promise<Response>);
  });
  const streamed = tapMethod(model, 'getStreamedResponse', (ask, _model, [request]) => {
    const loop = scopes.getStore()?.loop;
    if (!loop || loop.asking) return ask(request);
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
  const message =
    'a model could not be hooked, so what it says is not audited. Pass a model that is not frozen';
  runtime.diagnostics.report({ code: 'agent-not-hooked', message });
}

/** A retry policy would take a halt for a failed request, and wait before it runs into the same halt again. */
function adviceOn(failed: unknown, advise: Method): unknown {
  const { error } = failed as { readonly error?: unknown };
  return error instanceof AuditHalt ? { suggested: false, replaySafety: 'unsafe' } : advise(failed);
}

function tapProvider(provider: unknown, runtime: Runtime): void {
  if (typeof provider !== 'object' || provider === null) return;
  const tapped = tapMethod(provider, 'getModel', (getModel, _provider, args) => {
    const found = getModel(...args);
    if (!scopes.getStore()) return found;
    if (!(found instanceof Promise)) {
      tapModel(found, runtime);
      return found;
    }
    return found.then((model) => {
      tapModel(model, runtime);
      return model;
    });
  });
  if (tapped) return;
  const message =
    'a model provider could not be hooked, so what its models say is not audited. Pass one that is not frozen';
  runtime.diagnostics.report({ code: 'agent-not-hooked', message });
}

function warnUnheard(root: RootRun, { name }: AgentAtWork): void {
  const message = `the model of ${name} was asked where the hook cannot see it. Set it as the agent's or the runner's model`;
  root.runtime.diagnostics.report({ code: 'agent-not-hooked', message, runId: root.run.runId });
}
