import { registerTelemetry, type Telemetry } from 'ai';
import { messageOf, outcomeAfter } from '../../core/index.js';
import { AgentWork, contentOf } from './agent-work.js';
import { held } from './held-stream.js';
import type { Part } from './messages.js';
import { startFrom } from './run-input.js';
import { scopes } from './scope.js';

/** By the SDK's id of the call: hooks on streams may run in anybody's async context. */
const works = new Map<string, AgentWork>();

/** Calls that may hold an agent; others embed, rank, speak. */
const AGENTS = ['ai.generateText', 'ai.streamText', 'ai.generateObject', 'ai.streamObject'];

/**
 * The SDK's own hook on every call of a model and a tool, the same for all its functions and for agents anywhere inside
 * them. Outside an audited run it does nothing.
 */
export const tap: Telemetry = {
  onStart(event) {
    const scope = scopes.getStore();
    if (!scope || !AGENTS.includes(event.operationId)) return;
    const seen = event as unknown as Part;
    try {
      const isOwn = scope.own === undefined;
      const name = String((isOwn ? scope.agent : undefined) ?? seen['functionId'] ?? seen['modelId']);
      if (scope.host.isClosed) {
        const why = `${name} began when its run was over, so it is not audited. Await it, or hook it`;
        return scope.host.unhooked(why);
      }
      const work = new AgentWork(scope, name);
      if (isOwn) scope.own = work;
      works.set(event.callId, work);
      scope.host.begins(work, () => startFrom(seen));
    } catch (cause) {
      const message = `an agent runs unaudited, for its start cannot be read: ${messageOf(cause)}`;
      scope.host.run.runtime.diagnostics.report({ code: 'agent-not-hooked', message, cause });
    }
  },

  async executeLanguageModelCall({ callId, messages, execute }) {
    const work = works.get(callId);
    if (!work) return execute();
    await work.beforeModel(messages ?? []);
    const answer = await scopes.run(work.inside, execute);
    // The SDK does not say what its models give here: content, or a stream.
    const result = answer as Part;
    if ('stream' in result) {
      return { ...answer, stream: held(result['stream'] as ReadableStream<Part>, work) };
    }
    await work.afterModel(contentOf(result), result['usage']);
    return answer;
  },

  executeTool({ callId, execute }) {
    const work = works.get(callId);
    return work ? scopes.run(work.inside, execute) : execute();
  },

  onToolExecutionEnd({ callId, toolOutput, recordOutputs }) {
    const output = toolOutput as unknown as Part;
    const isHidden = recordOutputs === false;
    works.get(callId)?.ran(isHidden ? { ...output, output: HIDDEN, error: HIDDEN } : output);
  },

  async onObjectStepStart({ callId }) {
    // What is thrown here is swallowed: the halt comes where the call is waited for.
    await works
      .get(callId)
      ?.beforeModel([])
      .catch(() => {});
  },

  async onObjectStepEnd({ callId, objectText, reasoning, usage }) {
    const content = [
      { type: 'reasoning', text: reasoning ?? '' },
      { type: 'text', text: objectText },
    ];
    await works
      .get(callId)
      ?.afterModel(content, usage)
      .catch(() => {});
  },

  onEnd(event) {
    const { callId, steps } = event as unknown as { callId: string; steps?: readonly unknown[] };
    leave(callId, (work) => {
      work.finish(contentOf(steps?.at(-1)));
      return { status: 'completed' };
    });
  },

  onAbort({ callId }) {
    leave(callId, () => ({ status: 'aborted' }));
  },

  onError(event) {
    const { callId, error } = event as { callId: string; error: unknown };
    leave(callId, () => outcomeAfter(error));
  },
};

const HIDDEN = '[hidden from the auditor, too, by telemetry.recordOutputs: false]';

/** Puts the tap on, once for all copies of the SDK in the process: they share one registry. */
export function putTapOn(): void {
  if (!globalThis.AI_SDK_TELEMETRY_INTEGRATIONS?.includes(tap)) registerTelemetry(tap);
}

function leave(callId: string, outcome: (work: AgentWork) => Parameters<AgentWork['leave']>[0]): void {
  const work = works.get(callId);
  if (!work) return;
  works.delete(callId);
  work.leave(outcome(work));
}
