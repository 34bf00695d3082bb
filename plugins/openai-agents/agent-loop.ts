import { type AgentInputItem, getHandoff, type ModelRequest } from '@openai/agents';
import type { AgentCall, Stop } from '../../core/index.js';
import { type AnyRunState, AuditorTripwireTriggered } from './halt.js';
import type { RootRun } from './root-run.js';
import { startOf } from './run-start.js';
import { asModelResponse, asStreamEvent, savedRuns } from './saved-runs.js';
import {
  hostedAnswers,
  type Item,
  isCall,
  type Response,
  toAnswer,
  toItems,
  toSaid,
  toToolCall,
} from './to-turn.js';

/** What of an agent is read here. */
export interface AgentAtWork {
  readonly name: string;
  readonly model?: unknown;
  readonly tools?: readonly { readonly name?: unknown; readonly description?: unknown }[];
  // biome-ignore lint/suspicious/noExplicitAny: the SDK's own bound of an agent.
  readonly handoffs?: readonly any[];
}

/** One run of a `Runner`: model calls, each followed by tools or a handoff, until an agent answers. */
export class AgentLoop {
  readonly #root: RootRun;
  readonly #call: AgentCall;
  #agent: AgentAtWork;
  /** Known once the SDK has made it. */
  state: AnyRunState | undefined;
  /** While a model is asked, another that it asks in turn is its own affair. */
  asking = false;
  /** How many responses have been told. */
  heard = 0;
  #held: Response | undefined;
  /** Whether the calls of an earlier process have to be looked up among the answers. */
  #awaited: Set<string> | 'anything' = new Set();

  constructor(root: RootRun, call: AgentCall, agent: AgentAtWork) {
    this.#root = root;
    this.#call = call;
    this.#agent = agent;
  }

  /** A handoff has taken place, or the first agent starts. */
  enters(agent: AgentAtWork): void {
    this.#agent = agent;
    this.#call.agent = agent.name;
  }

  /** Takes up a state: of this process, or of an earlier one, whose calls still wait for their answers. */
  resumes(state: AnyRunState): void {
    this.state = state;
    this.#held = savedRuns.get(state)?.held;
    this.#awaited = 'anything';
    if (savedRuns.has(state)) return;
    for (const item of state._generatedItems as readonly { rawItem?: Item; agent?: { name: string } }[]) {
      const { rawItem, agent } = item;
      if (!rawItem) continue;
      const answer = toAnswer(rawItem);
      if (answer) this.#call.forget(answer.toolCallId);
      else if (isCall(rawItem)) {
        const { id, name } = toToolCall(rawItem);
        this.#call.adopt({ toolCallId: id, toolName: name, agent: agent?.name ?? this.#agent.name });
      }
    }
  }

  /** Asks the model, and does not give its response away before it may be acted upon. */
  async ask<R extends Response>(
    request: ModelRequest,
    model: (request: ModelRequest) => Promise<R>,
  ): Promise<R> {
    await this.#before(request);
    const held = this.#takeHeld();
    if (held) return asModelResponse(held) as unknown as R;
    let asked = request;
    for (;;) {
      this.asking = true;
      const response = await model(asked).finally(() => {
        this.asking = false;
      });
      const hint = await this.#after(response, request);
      if (hint === undefined) return response;
      asked = withHint(request, hint);
    }
  }

  /** The same of a stream: all flows on but its end, which is what the SDK acts upon. */
  async *askStreamed(request: ModelRequest, model: (request: ModelRequest) => AsyncIterable<unknown>) {
    await this.#before(request);
    const held = this.#takeHeld();
    if (held) {
      yield asStreamEvent(held);
      return;
    }
    let hint: string | undefined;
    do {
      const asked = hint === undefined ? request : withHint(request, hint);
      hint = undefined;
      this.asking = true;
      try {
        for await (const event of model(asked)) {
          const { type, response } = event as { readonly type: string; readonly response: Response };
          if (type === 'response_done') hint = await this.#after(response, request);
          if (hint === undefined) yield event;
        }
      } finally {
        this.asking = false;
      }
    } while (hint !== undefined);
  }

  /**
   * The loop is done. A tool's result that no model call has followed is told now.
   * @throws AuditorTripwireTriggered
   */
  async ends(items: readonly { readonly rawItem?: unknown }[]): Promise<void> {
    this.#tellAnswers(items.length, (at) => (items[at]?.rawItem ?? {}) as Item);
    this.#haltOn(await this.#call.beforeAnswer());
  }

  leave(): void {
    this.#call.leave();
  }

  async #before({ input }: ModelRequest): Promise<void> {
    const { run } = this.#root;
    if (!run.runId) run.open(startOf(input, this.#agent));
    const items = toItems(input);
    this.#tellAnswers(items.length, (at) => items[at] as Item);
    this.#haltOn(await this.#call.beforeModel());
  }

  /** @returns what to tell the model when it is to be asked again. @throws AuditorTripwireTriggered */
  async #after(response: Response, { handoffs }: ModelRequest): Promise<string | undefined> {
    this.heard++;
    const call = this.#call;
    let acts = true;
    call.said(() => {
      const said = toSaid(response, (toolName) => this.#handoffTo(toolName, handoffs));
      const calls = said.toolCalls ?? [];
      acts = calls.length > 0;
      this.#awaited = new Set(calls.map(({ id }) => id));
      return said;
    });
    for (const { toolCallId, ...answer } of hostedAnswers(response)) call.answered(toolCallId, () => answer);
    const stop = await (acts ? call.beforeAction() : call.beforeAnswer());
    if (!stop) return undefined;
    const hint = hintOf(stop);
    if (stop.action === 'recover' && (await call.redo(hint))) return hint;
    this.#held = response;
    this.#haltOn(stop);
    return undefined;
  }

  /** From the end, where they stand; a conversation is not read again for each call. */
  #tellAnswers(count: number, itemAt: (at: number) => Item): void {
    const awaited = this.#awaited;
    const found: [string, Omit<NonNullable<ReturnType<typeof toAnswer>>, 'toolCallId'>][] = [];
    for (let at = count - 1; at >= 0 && (awaited === 'anything' || awaited.size > found.length); at--) {
      const answer = toAnswer(itemAt(at));
      if (!answer) continue;
      const { toolCallId, ...rest } = answer;
      if (this.#call.awaits(toolCallId)) found.push([toolCallId, rest]);
    }
    for (const [id, answer] of found.reverse()) {
      this.#call.answered(id, () => answer);
      if (awaited !== 'anything') awaited.delete(id);
    }
    if (awaited === 'anything') this.#awaited = new Set();
  }

  #handoffTo(toolName: string, handoffs: ModelRequest['handoffs'] | undefined): string | undefined {
    if (!handoffs?.some((handoff) => handoff.toolName === toolName)) return undefined;
    const named = (this.#agent.handoffs ?? []).map((handoff) => getHandoff(handoff));
    return named.find((handoff) => handoff.toolName === toolName)?.agentName ?? toolName;
  }

  #takeHeld(): Response | undefined {
    const held = this.#held;
    this.#held = undefined;
    if (held) {
      this.heard++;
      this.#awaited = 'anything';
    }
    return held;
  }

  #haltOn(stop: Stop | undefined): void {
    if (!stop) return;
    if (this.state) savedRuns.set(this.state, { run: this.#root.run, held: this.#held });
    throw new AuditorTripwireTriggered(stop.halt, this.state);
  }
}

function hintOf({ halt }: Stop): string {
  return `Your last step was judged wrong: ${halt.alarm?.reason ?? ''}. Do it again, and mind that.`;
}

function withHint(request: ModelRequest, hint: string): ModelRequest {
  const items = toItems(request.input) as unknown as AgentInputItem[];
  return { ...request, input: [...items, { type: 'message', role: 'user', content: hint }] };
}
