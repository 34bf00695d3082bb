import { randomUUID } from 'node:crypto';
import type { Gating } from '../gate.js';
import type { Outcome, RunInfo, ToolSpec } from '../run-info.js';
import type { Runtime } from '../runtime.js';
import type { AuditSession } from '../session.js';
import type { TurnInput } from '../turn.js';
import type { TurnPath } from '../turn-path.js';
import { AgentCall } from './agent-call.js';
import { type CallCounts, CallSite } from './call-site.js';
import { continuing, type OpenCall, owedTurns, type PastRun } from './past-run.js';
import { PendingVerdicts, type Stop } from './pending-verdicts.js';

export interface AgentRunOptions {
  readonly framework: string;
  /** What the host can do about an alarm, beside halting. */
  readonly can?: RunInfo['can'];
  /** The stopped run that this one takes up. */
  readonly past?: PastRun | undefined;
  /** The caller's: when it aborts, nobody waits for a verdict any more. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Under `gating: 'overlap'`, an agent's answer goes back to the code that called it before the verdict: for code which
   * does nothing with it but ask the next agent. The run's own result waits in any case.
   */
  readonly answersOverlap?: boolean | undefined;
}

/** What a run begins with. */
export interface RunStart {
  readonly task: string;
  /** What was said before, and the task, in order. Default: the task. */
  readonly given?: readonly TurnInput[] | undefined;
  readonly tools?: readonly ToolSpec[] | undefined;
}

/**
 * One run of a host whose agents call models and tools in a loop of the framework's, with everything inside: sub-agents,
 * agents in tools, agents side by side. The frameworks differ in where they can be tapped; what becomes of a turn, who
 * waits for what and who may go on is the same, and is here.
 */
export class AgentRun {
  readonly runtime: Runtime;
  /** The place from which the outermost agents are called. */
  readonly site: CallSite;
  /** Rounds of calls by place. */
  readonly callCounts: CallCounts = new Map();
  readonly #options: AgentRunOptions;
  /** Calls that agents left unanswered: of the run taken up, and of this one. */
  readonly #unanswered: Map<string, OpenCall>;
  #past: PastRun | undefined;
  #task = '';
  #session: AuditSession | undefined;
  #verdicts = new PendingVerdicts();
  #ended: Promise<Stop | undefined> | undefined;

  constructor(runtime: Runtime, options: AgentRunOptions) {
    this.runtime = runtime;
    this.#options = options;
    this.#past = options.past;
    this.#unanswered = new Map((options.past?.openCalls ?? []).map((call) => [call.toolCallId, call]));
    this.site = new CallSite([], this.callCounts);
    options.signal?.addEventListener('abort', this.#letGo, { once: true });
  }

  get gating(): Gating {
    return this.runtime.gating;
  }

  get lettingAnswersGo(): boolean {
    return this.gating === 'overlap' && this.#options.answersOverlap === true;
  }

  /** Why the run was stopped, and what for. */
  get stopped(): Stop | undefined {
    return this.#verdicts.stopped;
  }

  /** The turn that the run's alarm blames. */
  get blamedTurn(): string | undefined {
    return this.#session?.alarmTurnId;
  }

  /** Whether it has been ended, though its record may not be complete yet. */
  get isOver(): boolean {
    return this.#ended !== undefined;
  }

  /** The session's id once it is open; what the log calls the run. */
  get runId(): string | undefined {
    return this.#session?.runId;
  }

  /** Begins the ids of a run that was taken up: the same places are walked again. */
  get prefix(): string {
    const { generation } = this.#past ?? {};
    return generation === undefined ? '' : `r${generation + 1}|`;
  }

  /** The first to know the task opens the run's record; later ones change nothing. */
  open(start: RunStart): void {
    if (this.#session) return;
    this.#openSession(start);
    for (const turn of this.#past ? owedTurns(this.#past) : []) this.tell([], () => turn);
  }

  /** An agent is set to work. @param site from where; default: from outside */
  begin(agent: string, site: CallSite = this.site): AgentCall {
    return new AgentCall(this, agent, site);
  }

  /** Tells of a turn, and does not wait. After the end nothing is told. */
  tell(path: TurnPath, read: () => TurnInput): void {
    if (this.#ended) return;
    if (!this.#session) this.open({ task: '' });
    const session = this.#session as AuditSession;
    this.#verdicts.expect(path, session.submit({ ...read(), path }));
  }

  /**
   * Waits for the verdicts on all that precedes the place.
   * @throws the reason of the caller's abort
   */
  async settled(path: TurnPath): Promise<Stop | undefined> {
    const isAborted = this.#options.signal?.aborted === true;
    const pending = isAborted ? undefined : this.#verdicts.before(path);
    if (pending) await pending;
    return this.#stoppedOrAborted();
  }

  /** Does not wait. @throws the reason of the caller's abort */
  async latch(): Promise<Stop | undefined> {
    return this.#stoppedOrAborted();
  }

  /**
   * Ends the run. The first end counts. An aborted run waits for no verdict: its record is completed later.
   * @returns how it was stopped; a completed run may be stopped only here
   */
  end(outcome: Outcome): Promise<Stop | undefined> {
    this.#ended ??= this.#end(outcome);
    return this.#ended;
  }

  /** For the run that takes this one up; nothing before it was opened. */
  asPast(): PastRun | undefined {
    const session = this.#session;
    if (!session) return this.#past;
    const { generation = -1, overridden = [], recoveries = 0 } = this.#past ?? {};
    const blamed = session.alarmTurnId;
    return {
      runId: session.runId,
      task: this.#task,
      turns: session.turns(),
      overridden: blamed === undefined ? overridden : [...overridden, blamed],
      unjudged: session.unjudgedIds,
      openCalls: [...this.#unanswered.values()],
      generation: generation + 1,
      recoveries,
      undone: [],
    };
  }

  /** @internal The call of an earlier run, or of an agent that has left, which is now answered. */
  pastCall(toolCallId: string): OpenCall | undefined {
    const call = this.#unanswered.get(toolCallId);
    this.#unanswered.delete(toolCallId);
    return call;
  }

  /** @internal */
  hasPastCall(toolCallId: string): boolean {
    return this.#unanswered.has(toolCallId);
  }

  /** @internal An agent was stopped before these calls were answered. */
  keepOpen(calls: Iterable<OpenCall>): void {
    for (const call of calls) this.#unanswered.set(call.toolCallId, call);
  }

  /**
   * @internal Goes on without the blamed turn, as another run of the log.
   * @returns false when the run was not to recover
   */
  async again(blamed: string, hint: TurnInput): Promise<boolean> {
    const session = this.#session;
    if (this.stopped?.action !== 'recover' || !session || this.#ended) return false;
    await session.close({ status: 'halted' });
    const { overridden = [], generation = -1, recoveries = 0 } = this.#past ?? {};
    this.#past = {
      runId: session.runId,
      task: this.#task,
      turns: session.turns().filter(({ id }) => id !== blamed),
      overridden,
      unjudged: session.unjudgedIds.filter((id) => id !== blamed),
      openCalls: [],
      generation: generation + 1,
      recoveries: recoveries + 1,
      undone: [blamed],
    };
    this.#verdicts = new PendingVerdicts();
    this.#openSession({ task: this.#task, given: [hint] });
    for (const turn of owedTurns(this.#past)) this.tell([], () => turn);
    return true;
  }

  #stoppedOrAborted(): Stop | undefined {
    if (!this.stopped) this.#options.signal?.throwIfAborted();
    return this.stopped;
  }

  #openSession({ task, given, tools = [] }: RunStart): void {
    const past = this.#past;
    this.#task = past?.task ?? task;
    const { framework, can = [] } = this.#options;
    reportWhatCannotBe(this.runtime, framework, can);
    const said = past ? continuing(past, given ?? []) : given ? { given } : {};
    this.#session = this.runtime.openSession({
      runId: randomUUID(),
      task: this.#task,
      tools,
      framework,
      can,
      ...said,
    });
  }

  async #end(outcome: Outcome): Promise<Stop | undefined> {
    this.#options.signal?.removeEventListener('abort', this.#letGo);
    this.#verdicts.end(outcome);
    const closed = this.#session?.close(outcome);
    if (closed && outcome.status !== 'aborted') this.#verdicts.note(await closed);
    return this.stopped;
  }

  // A listener, so that it can be taken off again.
  readonly #letGo = () => this.#verdicts.end({ status: 'aborted' });
}

/** Who has been told already. */
const told = new WeakMap<Runtime, Set<string>>();

/** That an alarm which should pause a run, or take it back, can only halt it, is worth a word before it comes. */
function reportWhatCannotBe(runtime: Runtime, framework: string, can: readonly string[]): void {
  const { onAlarm } = runtime;
  if ((onAlarm !== 'pause' && onAlarm !== 'recover') || can.includes(onAlarm)) return;
  const frameworks = told.get(runtime) ?? new Set();
  told.set(runtime, frameworks);
  if (frameworks.has(framework)) return;
  frameworks.add(framework);
  const message = `onAlarm is "${onAlarm}", but an alarm will halt this run of ${framework}, which cannot ${onAlarm}`;
  runtime.diagnostics.report({ code: `cannot-${onAlarm}`, message });
}
