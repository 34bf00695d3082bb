import { type AgentInputItem, getHandoff, type ModelRequest } from '@openai/agents';
import type { AgentCall, Answered, Stop } from '../../core/index.js';
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
  #asking = false;
  /** Whether requests of the SDK's are known to bear its mark. */
  #marks = false;
  /** How many responses have been told. */
  heard = 0;
  /** The names of the agents that were heard. */
  readonly speakers = new Set<string>();
  #held: Response | undefined;
  /** What tools gave, by the ids of their calls: a filter of the user's may hide it from every later model call. */
  readonly #ran = new Map<string, unknown>();
  #handoffCall: string | undefined;
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

  /** A tool is done. It is told when the agent gets the answer: in the order of the calls, not of who was quicker. */
  ran(toolCallId: string, result: unknown): void {
    this.#ran.set(toolCallId, result);
  }

  handsOver({ name }: AgentAtWork): void {
    if (this.#handoffCall !== undefined) this.#ran.set(this.#handoffCall, { assistant: name });
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

  /**
   * What a tool or a guardrail asks a model for itself is no turn of the agent's; nor is it when the SDK tells a provider,
   * after an abort, that nobody will answer its calls.
   */
  isOwn(request: object): boolean {
    const isMarked = '_internal' in request && 'signal' in request;
    this.#marks ||= isMarked;
    return !this.#asking && (isMarked || !this.#marks);
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
      this.#asking = true;
      const response = await model(asked).finally(() => {
        this.#asking = false;
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
      this.#asking = true;
      try {
        for await (const event of model(asked)) {
          const { type, response } = event as { readonly type: string; readonly response: Response };
          if (type === 'response_done') hint = await this.#after(response, request);
          if (hint === undefined) yield event;
        }
      } finally {
        this.#asking = false;
      }
    } while (hint !== undefined);
  }

  /**
   * The loop is done, or waits for a human. A tool's result that no model call has followed is told now.
   * @throws AuditorTripwireTriggered
   */
  async ends(items: readonly { readonly rawItem?: unknown }[], asksHuman: boolean): Promise<void> {
    // An agent in a tool that asks a human has given nothing yet, whatever the SDK tells of the tool.
    if (asksHuman) this.#ran.clear();
    this.#tellAnswers(items.length, (at) => (items[at]?.rawItem ?? {}) as Item);
    this.#haltOn(await this.#call.beforeAnswer());
  }

  /** The SDK has given up, after its most turns, say: tools may have answered since the model spoke. */
  fails(): void {
    const items = (this.state?._generatedItems ?? []) as readonly { readonly rawItem?: unknown }[];
    this.#tellAnswers(items.length, (at) => (items[at]?.rawItem ?? {}) as Item);
  }

  leave(): void {
    this.#call.leave();
  }

  async #before({ input, signal }: ModelRequest): Promise<void> {
    const { run } = this.#root;
    if (!run.runId) run.open(startOf(input, this.#agent));
    const items = toItems(input);
    this.#tellAnswers(items.length, (at) => items[at] as Item);
    this.#haltOn(await this.#unlessAborted(this.#call.beforeModel(), signal));
  }

  /** @returns what to tell the model when it is to be asked again. @throws AuditorTripwireTriggered */
  async #after(
    response: Response,
    { handoffs, signal, conversationId }: ModelRequest,
  ): Promise<string | undefined> {
    // The SDK throws away what came too late, and asks again or fails.
    if (signal?.aborted && hasTimedOut(signal.reason)) return undefined;
    this.heard++;
    this.speakers.add(this.#agent.name);
    const call = this.#call;
    let acts = true;
    call.said(() => {
      const said = toSaid(response, (toolName) => this.#handoffTo(toolName, handoffs));
      const calls = said.toolCalls ?? [];
      acts = calls.length > 0;
      this.#awaited = new Set(calls.map(({ id }) => id));
      this.#handoffCall = calls.find(({ name }) => handoffs?.some(({ toolName }) => toolName === name))?.id;
      return said;
    });
    for (const { toolCallId, ...answer } of hostedAnswers(response)) {
      call.answered(toolCallId, () => answer);
      if (this.#awaited !== 'anything') this.#awaited.delete(toolCallId);
    }
    const stop = await this.#unlessAborted(acts ? call.beforeAction() : call.beforeAnswer(), signal);
    if (!stop) return undefined;
    const hint = hintOf(stop);
    // What the provider keeps of the conversation cannot be taken back.
    const canRedo = stop.action === 'recover' && conversationId === undefined;
    if (canRedo && (await call.redo(hint))) return hint;
    this.#held = response;
    this.#haltOn(stop);
    return undefined;
  }

  /** From the end, where they stand; a conversation is not read again for each call. */
  #tellAnswers(count: number, itemAt: (at: number) => Item): void {
    // What an agent that was halted gives to the tool that called it is our own word.
    if (this.#root.run.stopped) return;
    const awaited = this.#awaited;
    const found: Answered[] = [];
    for (let at = count - 1; at >= 0 && (awaited === 'anything' || awaited.size > found.length); at--) {
      const answer = toAnswer(itemAt(at));
      if (answer && this.#call.awaits(answer.toolCallId)) found.push(answer);
    }
    for (const answer of found.reverse()) this.#tellAnswer(answer);
    for (const id of awaited === 'anything' ? [...this.#ran.keys()] : awaited) {
      const hidden = { type: 'function_call_result', callId: id, output: this.#ran.get(id) };
      const answer = this.#ran.has(id) && this.#call.awaits(id) ? toAnswer(hidden) : undefined;
      if (answer) this.#tellAnswer(answer);
    }
    this.#ran.clear();
    if (awaited === 'anything') this.#awaited = new Set();
  }

  #tellAnswer({ toolCallId, ...answer }: Answered): void {
    this.#call.answered(toolCallId, () => answer);
    if (this.#awaited !== 'anything') this.#awaited.delete(toolCallId);
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
      if (this.state) savedRuns.set(this.state, { run: this.#root.run });
      this.heard++;
      this.speakers.add(this.#agent.name);
      this.#awaited = 'anything';
    }
    return held;
  }

  /** Who has left, or whose request has timed out, waits for no verdict. @throws the signal's reason */
  async #unlessAborted(
    verdict: Promise<Stop | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<Stop | undefined> {
    if (!signal || this.#root.run.stopped) return verdict;
    const { promise, reject } = Promise.withResolvers<never>();
    const leave = () => reject(signal.reason);
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave);
    try {
      return await Promise.race([verdict, promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  #haltOn(stop: Stop | undefined): void {
    if (!stop) return;
    if (this.state) savedRuns.set(this.state, { run: this.#root.run, held: this.#held });
    throw new AuditorTripwireTriggered(stop.halt, this.state);
  }
}

/** By its shape: each copy of the SDK has a class of its own for it, and older ones have none. */
function hasTimedOut(reason: unknown): boolean {
  return reason instanceof Error && 'timeoutMs' in reason;
}

function hintOf({ halt }: Stop): string {
  return `Your last step was judged wrong: ${halt.alarm?.reason ?? ''}. Do it again, and mind that.`;
}

function withHint(request: ModelRequest, hint: string): ModelRequest {
  const items = toItems(request.input) as unknown as AgentInputItem[];
  return { ...request, input: [...items, { type: 'message', role: 'user', content: hint }] };
}
