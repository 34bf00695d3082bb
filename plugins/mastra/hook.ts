import type { MessageList } from '@mastra/core/agent';
import type {
  ProcessLLMRequestArgs,
  ProcessLLMResponseArgs,
  ProcessOutputResultArgs,
} from '@mastra/core/processors';
import { type AgentCall, haltMessage, messageOf, type Stop, type ToolSpec } from '../../core/index.js';
import { AUDITOR, haltMetadata } from './halt.js';
import { answeredIn, answerOf, givenTurn, saidIn, textOf } from './to-turn.js';

type Abort = ProcessLLMRequestArgs['abort'];

/**
 * Hooks one agent at work. Of Mastra's processors these two are awaited before a model call and before its tools, and
 * stop what follows: `processOutputStep` would let the tools run, `processToolResult` does not see those that fail.
 * Neither alone makes Mastra run a processor workflow per step, as `processInputStep` would.
 */
export class AuditProcessor {
  readonly id = AUDITOR;
  readonly #call: AgentCall;
  readonly #tools: () => Promise<readonly ToolSpec[]>;
  /** Calls whose answers have not been read. */
  readonly #unanswered = new Set<string>();
  #isOpen = false;

  constructor(call: AgentCall, tools: () => Promise<readonly ToolSpec[]>) {
    this.#call = call;
    this.#tools = tools;
  }

  /** Before a model call. */
  async processLLMRequest({ messageList, abort }: ProcessLLMRequestArgs): Promise<undefined> {
    if (messageList) await this.#read(messageList);
    tripOn(await this.#call.beforeModel(), abort);
  }

  /** After a model call, before its tools and before its answer leaves. */
  async processLLMResponse({ chunks, abort }: ProcessLLMResponseArgs): Promise<void> {
    const call = this.#call;
    call.said(() => {
      const said = saidIn(chunks);
      for (const { id } of said.toolCalls ?? []) this.#unanswered.add(id);
      return said;
    });
    tripOn(await (this.#unanswered.size > 0 ? call.beforeAction() : call.beforeAnswer()), abort);
  }

  /** What the last tools have answered, where no model call follows. */
  readAnswers(messageList: MessageList): void {
    if (this.#unanswered.size === 0 || this.#call.run.stopped) return;
    // Mastra keeps all that a run says in one message, which grows.
    for (const { content } of messageList.get.response.db().toReversed()) {
      for (const part of (content.parts ?? []).toReversed()) {
        const answered = answeredIn(part);
        if (!answered || !this.#unanswered.delete(answered.toolCallId)) continue;
        this.#call.answered(answered.toolCallId, () => answerOf(answered));
        if (this.#unanswered.size === 0) return;
      }
    }
  }

  async #read(messageList: MessageList): Promise<void> {
    const { run, agent } = this.#call;
    try {
      if (!this.#isOpen) {
        this.#isOpen = true;
        await this.#open(messageList);
      }
      this.readAnswers(messageList);
    } catch (cause) {
      const message = `what ${agent} was given could not be read: ${messageOf(cause)}`;
      run.runtime.diagnostics.report({ code: 'mastra-hook-fault', message, cause });
    }
  }

  async #open(messageList: MessageList): Promise<void> {
    const { run, agent } = this.#call;
    if (run.runId !== undefined) return;
    const input = messageList.get.input.db();
    const asked = input.findLast(({ role }) => role === 'user');
    const earlier = [...messageList.get.remembered.db(), ...input];
    const given = earlier.flatMap((message) => givenTurn(message, agent) ?? []);
    run.open({ task: asked ? textOf(asked) : '', given, tools: await this.#tools() });
  }
}

/** @throws TripWire */
export function tripOn(stop: Stop | undefined, abort: Abort | ProcessOutputResultArgs['abort']): void {
  if (stop) abort(haltMessage(stop.halt), { metadata: haltMetadata(stop.halt) });
}
