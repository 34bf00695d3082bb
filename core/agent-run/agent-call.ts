import { messageOf } from '../diagnostics.js';
import type { ToolCall, TurnInput, Usage } from '../turn.js';
import type { TurnPath } from '../turn-path.js';
import type { AgentRun } from './agent-run.js';
import { CallSite, pathKey } from './call-site.js';
import type { OpenCall } from './past-run.js';
import type { Stop } from './pending-verdicts.js';

/** What came back from one model call. */
export interface Said {
  readonly content: string;
  readonly thought?: string | undefined;
  readonly toolCalls?: readonly ToolCall[] | undefined;
  /** Whom one of the calls passes control to. */
  readonly handoffTo?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly durationMs?: number | undefined;
}

/** What came back from one tool call, an agent that was called as a tool included. */
export interface Answered {
  readonly toolCallId: string;
  readonly content: string;
  readonly isError?: boolean | undefined;
  readonly durationMs?: number | undefined;
}

/**
 * One agent at work: model calls, each followed by its tools, until it answers. A plugin tells what is said here and
 * waits, before whatever comes next, by the method named for that. Each of these resolves to how the run was stopped,
 * if it was; then nothing may follow, and the plugin throws its framework's form of the halt.
 */
export class AgentCall {
  readonly run: AgentRun;
  /** The place from which it calls others: sub-agents, agents in its tools. */
  readonly site: CallSite;
  /** Who speaks. A handoff within one call changes it. */
  agent: string;
  readonly #caller: CallSite;
  readonly #openCalls = new Map<string, OpenCall>();
  /** Ids of what it has told, in order. */
  readonly #told: string[] = [];
  #hasLeft = false;

  /** @internal Runs begin calls. */
  constructor(run: AgentRun, agent: string, caller: CallSite) {
    this.run = run;
    this.agent = agent;
    this.site = new CallSite(caller.enter(), run.callCounts);
    this.#caller = caller;
  }

  get path(): TurnPath {
    return this.site.path;
  }

  /**
   * The model has answered. Does not wait.
   * @param read may throw: a shape that cannot be read costs this turn its verdict, never the run
   */
  said(read: () => Said): void {
    const { agent } = this;
    this.#tell(() => {
      const said = read();
      for (const { id, name } of said.toolCalls ?? []) {
        this.#openCalls.set(id, { toolCallId: id, toolName: name, agent });
      }
      const toolCalls = said.toolCalls?.length ? said.toolCalls : undefined;
      return { agent, kind: 'agent', ...said, toolCalls };
    });
  }

  /** A tool has answered, or failed. Told once per call, for the agent that made it; a call that nobody made is old. */
  answered(toolCallId: string, read: () => Omit<Answered, 'toolCallId'>): void {
    const past = this.run.pastCall(toolCallId);
    const call = this.#openCalls.get(toolCallId) ?? past;
    if (!call) return;
    this.#openCalls.delete(toolCallId);
    const { agent, toolName } = call;
    this.#tell(() => ({ agent, kind: 'tool', toolCallId, toolName, ...read() }));
  }

  /** Whether a call of this agent waits for its answer. */
  awaits(toolCallId: string): boolean {
    return this.#openCalls.has(toolCallId) || this.run.hasPastCall(toolCallId);
  }

  /** A call that was made in an earlier process, and is answered here. */
  adopt(call: OpenCall): void {
    this.#openCalls.set(call.toolCallId, call);
  }

  /** A call that was answered in an earlier process. */
  forget(toolCallId: string): void {
    this.#openCalls.delete(toolCallId);
  }

  /** Before a model call. Under `gating: 'overlap'` it does not wait. @throws the reason of the caller's abort */
  beforeModel(): Promise<Stop | undefined> {
    return this.run.gating === 'overlap' ? this.run.latch() : this.run.settled(this.path);
  }

  /** Before tools run, or a handoff takes place. @throws the reason of the caller's abort */
  beforeAction(): Promise<Stop | undefined> {
    return this.run.settled(this.path);
  }

  /** Before its answer goes back to whoever called it. @throws the reason of the caller's abort */
  beforeAnswer(): Promise<Stop | undefined> {
    const goes = this.run.lettingAnswersGo || this.#caller.holdsAnswers;
    return goes ? this.run.latch() : this.run.settled(this.path);
  }

  /**
   * Where the framework can ask the model again for what it has just said: the blamed turn is undone, and the run goes
   * on as another run of the log. @param hint what the agent is told; it stands in the new run as the user's word
   * @returns whether the run may go on; it may not unless the alarm blames the very last thing that this call has said
   */
  async redo(hint: string): Promise<boolean> {
    const blamed = this.run.blamedTurn;
    if (blamed === undefined || blamed !== this.#told.at(-1)) {
      const message = 'the alarm blames a step that cannot be done again, so the run is halted';
      this.run.runtime.diagnostics.report({ code: 'cannot-recover', message, runId: this.run.runId });
      return false;
    }
    this.#openCalls.clear();
    return this.run.again(blamed, { agent: 'user', kind: 'user', content: hint });
  }

  /** The agent is done, one way or another. Telling it again changes nothing. */
  leave(): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.run.keepOpen(this.#openCalls.values());
    this.#caller.leave();
  }

  #tell(read: () => TurnInput): void {
    const id = `${this.run.prefix}${pathKey(this.path)}#${this.#told.length}`;
    this.#told.push(id);
    this.run.tell(this.path, () => {
      try {
        return { ...read(), id };
      } catch (cause) {
        return { id, unreadableWordsOf: this.agent, because: messageOf(cause) } as unknown as TurnInput;
      }
    });
  }
}
