import type { Agent, AgentExecutionOptions } from '@mastra/core/agent';
import { type AuditHook, hooks, type WriteChunk } from './hook.js';
import { isLastStep, noticingBail } from './last-step.js';

// biome-ignore lint/suspicious/noExplicitAny: `Agent` is invariant in its parameters
export type AnyAgent = Agent<any, any, any, any>;
export type CallOptions = Partial<AgentExecutionOptions<unknown>> & { readonly runId?: string };

/** The options that hold for a call: its own, or else the agent's. */
export async function optionsOf(agent: AnyAgent, options: CallOptions | undefined): Promise<CallOptions> {
  const { requestContext } = options ?? {};
  const defaults = await agent.getDefaultOptions(requestContext ? { requestContext } : {});
  const own = defaults as CallOptions;
  return {
    ...own,
    ...options,
    // Of these Mastra takes each function by itself.
    hooks: { ...own.hooks, ...options?.hooks },
    delegation: { ...own.delegation, ...options?.delegation },
  };
}

/** A call's processors and callbacks replace the agent's, so that ours take those along. */
export async function auditedOptions(
  agent: AnyAgent,
  given: CallOptions,
  hook: AuditHook,
): Promise<CallOptions> {
  const { requestContext } = given;
  const { onAlarm } = hook.call.run.runtime;
  const options: CallOptions = {
    inputProcessors: [
      ...(given.inputProcessors ?? (await agent.listConfiguredInputProcessors(requestContext))),
      hook,
    ],
    hooks: refusingTools(agent, given),
    onIterationComplete: withLastWord(given, hook),
  };
  const delegation = noticingBail(given.delegation, hook);
  if (delegation) options.delegation = delegation;
  if (onAlarm === 'pause') options.requireToolApproval = withPause(given);
  if (onAlarm === 'recover') {
    const own = given.outputProcessors ?? (await agent.listConfiguredOutputProcessors(requestContext));
    options.outputProcessors = [...own, redoing(hook)];
    options.maxProcessorRetries = Math.max(given.maxProcessorRetries ?? 0, MOST_RETRIES);
  }
  return options;
}

/** As many as the runtime allows at most; it is the run that counts. */
const MOST_RETRIES = 100;

/** Tools that take turns do not start after a halt. */
function refusingTools(agent: AnyAgent, { hooks: given }: CallOptions): NonNullable<CallOptions['hooks']> {
  const own = { ...agent.getConfiguredToolHooks(), ...given };
  return {
    ...own,
    beforeToolCall: (context) => {
      const hook = hooks.getStore();
      hook?.noteWriter((context.context as { readonly outputWriter?: WriteChunk } | undefined)?.outputWriter);
      return hook?.call.run.stopped
        ? { proceed: false, output: 'The run was halted.' }
        : own.beforeToolCall?.(context);
    },
  };
}

/** Mastra goes by what the host's own callback says; one that throws says nothing. */
function withLastWord({ onIterationComplete, abortSignal }: CallOptions, hook: AuditHook) {
  const wrapped: CallOptions['onIterationComplete'] = async (context) => {
    let own: Awaited<ReturnType<NonNullable<typeof onIterationComplete>>> | undefined;
    try {
      own = await onIterationComplete?.(context);
      return own;
    } finally {
      const isWhole = !CUT_SHORT.has(context.finishReason) && !abortSignal?.aborted;
      if (isWhole && (hook.hasBailed || isLastStep(context, own))) await hook.lastWord(context);
    }
  };
  return wrapped;
}

/** How a last step ends that is nobody's last word. */
const CUT_SHORT = new Set(['error', 'abort', 'aborted', 'tripwire', 'retry']);

/** An alarm on a turn with tool calls asks for an approval, as tools of the host's own may. */
function withPause({ requireToolApproval }: CallOptions) {
  const wrapped: Exclude<CallOptions['requireToolApproval'], boolean> = async (context) => {
    if (hooks.getStore()?.isPaused) return true;
    return typeof requireToolApproval === 'function'
      ? requireToolApproval(context)
      : requireToolApproval === true;
  };
  return wrapped;
}

/** What an output processor refuses, Mastra asks the model again; its tools do not run then. */
function redoing(hook: AuditHook): NonNullable<CallOptions['outputProcessors']>[number] {
  return {
    id: hook.id,
    processOutputStep({ messageList, abort }) {
      const feedback = hook.takeFeedback();
      return feedback === undefined ? messageList : abort(feedback, { retry: true });
    },
  };
}
