import { type ModelResponse, Usage } from '@openai/agents';
import type { AgentRun } from '../../core/index.js';
import type { AnyRunState } from './halt.js';
import type { Response } from './to-turn.js';

/** What is known of a stopped run beside its state. */
export interface SavedRun {
  readonly run: AgentRun;
  /**
   * What the model said when the run was halted. The SDK's state has it not, for the halt came before it was accepted;
   * who takes the run up overrides the halt, so that it is accepted then, and the model is not asked again.
   */
  readonly held?: Response | undefined;
}

/** The stopped runs of this process, by their states. A state that was serialised is another one. */
export const savedRuns = new WeakMap<AnyRunState, SavedRun>();

/** Of whichever copy of the SDK. */
export function isRunState(value: unknown): value is AnyRunState {
  return (
    typeof value === 'object' && value !== null && '_generatedItems' in value && '_currentAgent' in value
  );
}

export function asModelResponse(held: Response): ModelResponse {
  return { ...held, usage: held.usage instanceof Usage ? held.usage : new Usage(held.usage ?? {}) };
}

/** The one event of a stream that the SDK goes by. */
export function asStreamEvent(held: Response & { readonly id?: unknown; readonly responseId?: unknown }) {
  const { id, responseId = id ?? 'held', output, usage } = held;
  const { inputTokens = 0, outputTokens = 0, totalTokens = 0 } = (usage ?? {}) as Partial<Usage>;
  const response = { ...held, id: responseId, output, usage: { inputTokens, outputTokens, totalTokens } };
  return { type: 'response_done', response };
}
