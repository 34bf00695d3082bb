import { AsyncLocalStorage } from 'node:async_hooks';
import type { MastraDBMessage, MessageList } from '@mastra/core/agent';
import type {
  ProcessLLMRequestArgs,
  ProcessLLMResponseArgs,
  Processor,
  ProcessorContext,
} from '@mastra/core/processors';
import { AgentCall, haltMessage, messageOf, type Stop, type ToolSpec } from '../../core/index.js';
import { taskOfRun } from './begin-run.js';
import { AUDITOR, haltMetadata, tripwireOf } from './halt.js';
import { reportIfOnlyHalted, saysAgain } from './only-halted.js';
import { type Scope, scopes } from './scope.js';
import { answeredIn, answerOf, givenTurn, isUsers, saidIn, type ToolPart, textOf } from './to-turn.js';
import { ToolScope } from './tool-scope.js';

/**
 * Who watches the agent at work. Mastra keeps what a call's options hold for the time that the run is resumed: there it
 * is asked again.
 */
export const hooks = new AsyncLocalStorage<AuditHook>();

/** Puts a chunk into the agent's stream. */
export type WriteChunk = (
  chunk: Readonly<Record<string, unknown>> & { readonly type: string },
) => Promise<unknown>;

interface HookedCall {
  readonly isOutermost: boolean;
  readonly isResumed: boolean;
  readonly toolsOf: () => Promise<readonly ToolSpec[]>;
  /** Names of the tools that only its caller can run. */
  readonly callersTools: () => Promise<ReadonlySet<string>>;
}

/**
 * Watches one agent at work. Of Mastra's processors these two are awaited, one before each model call and one before its
 * tools, and can stop what follows: `processOutputStep` would let the tools run, `processToolResult` does not see those
 * that fail. Nor do they make Mastra run a workflow of processors at each step, as `processInputStep` would.
 */
export class AuditHook implements Processor<typeof AUDITOR> {
  readonly id = AUDITOR;
  readonly call: AgentCall;
  /** Whether whoever called it learns that its tools wait for a human. */
  readonly mayPause: boolean;
  /** Whether the host ends the agent's work with the answer of a sub-agent. */
  hasBailed = false;
  readonly #isOutermost: boolean;
  readonly #toolsOf: () => Promise<readonly ToolSpec[]>;
  readonly #callersTools: () => Promise<ReadonlySet<string>>;
  /** Calls whose answers have not been read. */
  readonly #unanswered = new Set<string>();
  /** Whether an earlier run may have left calls open, which this one answers. */
  #mayOwe: boolean;
  #messages: (() => readonly MastraDBMessage[]) | undefined;
  #write: WriteChunk | undefined;
  #paused: Stop | undefined;
  #redone: string | undefined;

  constructor(call: AgentCall, { isOutermost, isResumed, toolsOf, callersTools }: HookedCall) {
    this.call = call;
    this.#isOutermost = isOutermost;
    this.#mayOwe = isResumed;
    this.#toolsOf = toolsOf;
    this.#callersTools = callersTools;
    this.mayPause = maySuspend(scopes.getStore());
  }

  /** Before a model call. */
  async processLLMRequest({ messageList, abort, abortSignal }: ProcessLLMRequestArgs): Promise<undefined> {
    if (messageList) {
      this.#messages = () => messageList.get.response.db();
      await this.#open(messageList);
      this.readAnswers();
    }
    this.#tripOn(await unlessAborted(this.call.beforeModel(), abortSignal), abort);
  }

  /** After a model call: before its tools, and before its answer leaves. */
  async processLLMResponse({ chunks, abort, writer }: ProcessLLMResponseArgs): Promise<void> {
    const { call } = this;
    this.#write = writer && ((chunk) => writer.custom(chunk));
    if (chunks.some(({ type }) => type === 'error')) return; // it is asked again, or the run fails
    const called: string[] = [];
    call.said(() => {
      const said = saidIn(chunks);
      for (const { id, name } of said.toolCalls ?? []) {
        this.#unanswered.add(id);
        called.push(name);
      }
      return said;
    });
    const stop = await (this.#unanswered.size > 0 ? call.beforeAction() : call.beforeAnswer());
    if (!stop || (await this.#redoes(stop)) || (await this.#pauses(stop, called))) return;
    this.#tripOn(stop, abort);
  }

  /** Whether tools must wait for a human. */
  get isPaused(): boolean {
    return this.#paused !== undefined;
  }

  /** What the agent is told when it is to say it again; asked once. */
  takeFeedback(): string | undefined {
    const feedback = this.#redone;
    this.#redone = undefined;
    return feedback;
  }

  /** By which a stream is reached: of a run that is taken up, perhaps no model is called. */
  noteWriter(write: WriteChunk | undefined): void {
    this.#write ??= write;
  }

  /**
   * After the agent's last step: its last tools' answers are judged; the outermost agent's, with what the schedule has
   * passed over. No processor runs here, but what a processor writes reaches the stream, and so does a tripwire.
   */
  async lastWord({ runId, messages }: { readonly runId: string; readonly messages: MastraDBMessage[] }) {
    const { run } = this.call;
    this.#messages ??= () => messages;
    this.readAnswers();
    const wasStopped = run.stopped !== undefined;
    const stop = await (this.#isOutermost ? this.#end() : this.call.beforeAnswer());
    if (!stop || wasStopped) return;
    reportIfOnlyHalted(stop, run);
    await this.#write?.({ type: 'tripwire', runId, from: 'AGENT', payload: tripwireOf(stop.halt) });
  }

  #end(): Promise<Stop | undefined> {
    this.call.leave();
    return this.call.run.end({ status: 'completed' });
  }

  async #redoes(stop: Stop): Promise<boolean> {
    if (stop.action !== 'recover') return false;
    const reason = stop.halt.alarm?.reason ?? '';
    if (!(await saysAgain(this.call, reason))) return false;
    this.#redone = reason;
    this.#unanswered.clear();
    return true;
  }

  /** Mastra asks for the approval of tools that it runs itself. */
  async #pauses(stop: Stop, called: readonly string[]): Promise<boolean> {
    if (stop.action !== 'pause' || called.length === 0 || !this.mayPause) return false;
    const left = await this.#callersTools();
    if (called.every((name) => left.has(name))) return false;
    this.#paused = stop;
    return true;
  }

  /** After a halt what tools answer is not told: it may be our own word. */
  readAnswers(): void {
    const owed = this.#unanswered;
    if ((owed.size === 0 && !this.#mayOwe) || this.call.run.stopped || !this.#messages) return;
    const found: ToolPart[] = [];
    try {
      // Mastra keeps all that a run says in one message, which grows.
      for (const { content } of this.#messages().toReversed()) {
        for (const part of (content.parts ?? []).toReversed()) {
          const answer = answeredIn(part);
          if (
            !answer ||
            !(owed.delete(answer.toolCallId) || (this.#mayOwe && this.call.awaits(answer.toolCallId)))
          )
            continue;
          found.push(answer);
          if (owed.size === 0 && !this.#mayOwe) break;
        }
        if (owed.size === 0 && !this.#mayOwe) break;
      }
      this.#mayOwe = false;
    } catch (cause) {
      this.#report(cause);
    }
    for (const answer of found.toReversed()) this.call.answered(answer.toolCallId, () => answerOf(answer));
  }

  async #open(messages: MessageList): Promise<void> {
    const { run, agent } = this.call;
    if (run.runId !== undefined) return;
    try {
      const task = taskOfRun(run);
      if (!this.#isOutermost && task !== undefined) return run.open({ task });
      const input = messages.get.input.db();
      const asked = input.findLast(isUsers);
      const earlier = this.#mayOwe && run.prefix !== '' ? [] : [...messages.get.remembered.db(), ...input];
      const given = earlier.flatMap((message) => givenTurn(message, agent) ?? []);
      run.open({ task: asked ? textOf(asked) : (task ?? ''), given, tools: await this.#toolsOf() });
    } catch (cause) {
      this.#report(cause);
    }
  }

  /** @throws TripWire */
  #tripOn(stop: Stop | undefined, abort: ProcessorContext['abort']): void {
    if (!stop) return;
    if (this.mayPause) reportIfOnlyHalted(stop, this.call.run);
    abort(haltMessage(stop.halt), { metadata: haltMetadata(stop.halt) });
  }

  #report(cause: unknown): void {
    const { run, agent } = this.call;
    const message = `what ${agent} was told could not be read: ${messageOf(cause)}`;
    run.runtime.diagnostics.report({ code: 'mastra-hook-fault', message, cause });
  }
}

/** Mastra sees for itself that the caller has aborted, and has a result for that. */
async function unlessAborted(wait: Promise<Stop | undefined>, signal: AbortSignal | undefined) {
  try {
    return await wait;
  } catch (reason) {
    if (signal?.aborted) return undefined;
    throw reason;
  }
}

/** A workflow does not learn that an agent that is its step waits, nor does code that calls one. */
function maySuspend(caller: Scope | undefined): boolean {
  if (!caller) return true;
  const isPassedOn = caller instanceof ToolScope ? caller.isDelegation : caller instanceof AgentCall;
  return isPassedOn && hooks.getStore()?.mayPause === true;
}
