import {
  type AuditSession,
  type Decision,
  messageOf,
  type Outcome,
  precedes,
  type Runtime,
  type ToolSpec,
  type TurnInput,
  type TurnPath,
} from '../../core/index.js';
import { AlarmInterrupt, alarmQuestion } from './alarm-interrupt.js';
import { type CallCounts, pathKey } from './call-site.js';
import { type EarlierRun, pastOf } from './earlier-run.js';
import { GraphAuditHalt } from './halt.js';
import type { Invocation } from './invocation.js';
import { textField } from './messages.js';
import { type Recovery, recoveryFrom } from './recovery.js';
import { givenTurns, isResume, messagesOf, taskOf } from './run-input.js';
import { SeenMessages } from './seen-messages.js';
import type { SelfCheck } from './self-check.js';
import type { Task, TaskPlace } from './task.js';
import { givenTurn, type Ledger, newLedger, turnsOf } from './to-turn.js';

export interface GraphRunInfo {
  readonly runId: string;
  readonly input: unknown;
  readonly tools: readonly ToolSpec[];
  /** Absent for a graph that runs inside one which is not hooked. */
  readonly invocation: Invocation | undefined;
  readonly selfCheck: SelfCheck;
}

/** A verdict that is under way. */
interface Pending {
  readonly path: TurnPath;
  readonly decided: Promise<void>;
}

/** One invocation of the hooked graph and all that runs inside it, down to agents hidden in functions and tools. */
export class GraphRun {
  /** Rounds of calls by place, for every {@link Task} of the run. */
  readonly callCounts: CallCounts = new Map();
  /** A node of the root graph has stopped to ask a human. */
  interrupted = false;
  readonly #info: GraphRunInfo;
  readonly #runtime: Runtime;
  readonly #earlier: EarlierRun | undefined;
  readonly #generation: number;
  readonly #ledger: Ledger;
  readonly #pending = new Set<Pending>();
  /** Who waits for verdicts, to be let go when the run ends. A promise for the end would keep a reaction for every wait. */
  readonly #waiting = new Set<() => void>();
  /** Where each turn was said, for going back there. */
  readonly #places = new Map<string, TaskPlace>();
  /** Who was seen at work. */
  readonly #agents = new Set<string>();
  /** How the run ended, if it did not complete. */
  #cutShort: Outcome['status'] | undefined;
  #task = '';
  #session: AuditSession | undefined;
  #stop: Exclude<Decision, { action: 'proceed' }> | undefined;
  #pause: AlarmInterrupt | undefined;

  constructor(info: GraphRunInfo, runtime: Runtime) {
    this.#info = info;
    this.#runtime = runtime;
    const { earlier, standing } = info.invocation ?? {};
    this.#earlier = earlier;
    this.#generation = earlier ? earlier.generation + 1 : 0;
    const isTold = earlier && !earlier.rewound;
    this.#ledger = isTold ? earlier.ledger : newLedger(new SeenMessages(), earlier?.ledger.callers);
    if (standing) this.#pause = new AlarmInterrupt(standing.question, standing.interruptId);
  }

  /** A graph begins, the root or an inner one: what its first node is given was said before, by others. */
  beginGraph(firstInput: unknown, path: TurnPath, name: string | undefined): void {
    if (name !== undefined) this.#agents.add(name);
    const session = this.#session;
    if (!session) {
      this.#open(firstInput);
      return;
    }
    for (const raw of messagesOf(firstInput)) {
      const turn = givenTurn(raw, this.#ledger);
      // A hint is what nobody has said before, and goes to the inner graph alone.
      if (turn && this.#isHint(raw)) this.#await(path, session.submit({ ...turn, path, given: true }));
    }
  }

  /** Takes what a node said, without waiting for the verdict: {@link pass} does that where something would follow. */
  nodeEnded(task: Task, output: unknown): void {
    const { path } = task.site;
    const place = this.#placeId(path);
    const durationMs = performance.now() - task.startedAt;
    const turns = this.#read(task, output);
    this.#agents.add(task.agent);
    this.#info.selfCheck.spoke(task, turns, this.#agents);
    for (const [i, turn] of turns.entries()) {
      const session = this.#session ?? this.#open(undefined);
      const id = `${place}#${i}`;
      if (this.#runtime.onAlarm === 'recover') this.#places.set(id, task.place);
      this.#await(path, session.submit({ ...turn, id, path, durationMs }));
    }
  }

  /**
   * Waits for the verdicts on everything that precedes `path`; where none is pending, says so at once.
   * @throws GraphAuditHalt when the run has been halted, there or in any branch
   * @throws GraphInterrupt when it has been paused
   * @throws Error when the run ended meanwhile, as after an abort: nothing may start any more
   */
  pass(path: TurnPath): Promise<void> | undefined {
    const before = this.#cutShort;
    if (this.#pending.size > 0) {
      const preceding = [...this.#pending].filter((pending) => precedes(pending.path, path));
      if (preceding.length > 0) return this.#settled(preceding).then(() => this.#mayGoOn(path, before));
    }
    this.#mayGoOn(path, before);
    return undefined;
  }

  /** Resolves also when the run ends before the verdicts are there, unless it had ended already. */
  #settled(pending: readonly Pending[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#cutShort === undefined) this.#waiting.add(resolve);
    void Promise.all(pending.map(({ decided }) => decided)).then(() => {
      this.#waiting.delete(resolve);
      resolve();
    });
    return promise;
  }

  #mayGoOn(path: TurnPath, before: Outcome['status'] | undefined): void {
    this.checkLatch(path);
    if (this.#cutShort === 'aborted' || this.#cutShort !== before)
      throw new DOMException('the run has ended while a verdict was pending', 'AbortError');
  }

  /** Does not wait. @throws GraphAuditHalt, GraphInterrupt as {@link pass} */
  checkLatch(path: TurnPath): void {
    if (!this.#stop) return;
    throw this.#pause ? this.#pause.at(path) : new GraphAuditHalt(this.#stop.halt);
  }

  /**
   * As {@link pass}, at the end of a task of the functional API. There a pause becomes a halt: a task that ends in an
   * interrupt would lose its result, and be done again when a human lets it pass.
   */
  async passTask(path: TurnPath): Promise<void> {
    try {
      await this.pass(path);
    } catch (error) {
      if (!this.#pause || !this.#stop) throw error;
      this.#pause = undefined;
      throw new GraphAuditHalt(this.#stop.halt);
    }
  }

  /** A node of the root graph that waits for an answer which the caller has not given. @throws GraphInterrupt */
  checkStanding({ info, site }: Task): void {
    const standing = this.#info.invocation?.standing;
    if (!standing || site.path.length > 1 || standing.answered.has(info.namespace)) return;
    throw this.#pause?.at(site.path);
  }

  /** A tool that is retried may still succeed. */
  toolEnded(toolCallId: string, failed: boolean): void {
    if (failed) this.#ledger.failedCalls.add(toolCallId);
    else this.#ledger.failedCalls.delete(toolCallId);
  }

  /** A task came to an end other than an interrupt. */
  taskEnded(task: Task): void {
    this.#pause?.taskEnded(task.site.path);
  }

  /** Whether it waits for a human, whom the host has asked or we. */
  get waits(): boolean {
    return this.interrupted || this.#pause?.isAsked === true;
  }

  /** Whether a node has started. What never gets so far, such as an update of the state from outside, is no run. */
  get hasBegun(): boolean {
    return this.#session !== undefined;
  }

  /**
   * Nobody waits for a verdict any more, and who waited does not start. After an abort nothing else may start either; what
   * a failed run leaves behind in other branches goes on as it would without us.
   */
  stop({ status }: Outcome): void {
    if (status === 'completed') return;
    this.#cutShort = status;
    for (const letGo of this.#waiting) letGo();
  }

  /** Closes the run's session. @returns what to throw, if the run was stopped and no human has been asked */
  async end(outcome: Outcome): Promise<GraphAuditHalt | undefined> {
    const session = this.#session ?? this.#open(undefined);
    this.#note(await session.close(outcome));
    if (!this.#stop || this.#pause?.isAsked) return undefined;
    return new GraphAuditHalt(this.#stop.halt);
  }

  /** For the invocation that takes this one up. */
  asEarlier(completed: boolean): EarlierRun {
    const blamed = this.#session?.alarmTurnId;
    return {
      runId: this.#info.runId,
      task: this.#task,
      turns: this.#session?.turns() ?? [],
      completed,
      overridden: [...(this.#earlier?.overridden ?? []), ...(blamed === undefined ? [] : [blamed])],
      generation: this.#generation,
      ledger: this.#ledger,
      rewound: undefined,
    };
  }

  /** What going back to before the blamed step takes, if that is what the gate has decided. */
  recovery(): Recovery | undefined {
    if (this.#stop?.action !== 'recover') return undefined;
    const recoveries = (this.#earlier?.rewound?.recoveries ?? 0) + 1;
    return recoveryFrom(this.#stop.halt, this.asEarlier(false), this.#places, recoveries);
  }

  #open(firstInput: unknown): AuditSession {
    const { runId, input, tools, invocation } = this.#info;
    const earlier = this.#earlier;
    const told = this.#told(messagesOf(firstInput ?? input));
    const words = taskOf(isResume(input) ? firstInput : input);
    this.#task = earlier?.task ?? told.findLast((turn) => turn.kind === 'user')?.content ?? words;
    this.#session = this.#runtime.openSession({
      runId,
      task: this.#task,
      tools,
      framework: 'langgraph',
      can: invocation?.thread ? ['pause', 'recover'] : [],
      ...(earlier ? pastOf(earlier, told) : givenTurns(told, this.#task)),
    });
    return this.#session;
  }

  /** A shape that cannot be read costs this turn its verdict, which is recorded as a failure, never the run. */
  #read(task: Task, output: unknown): TurnInput[] {
    try {
      return turnsOf(output, task, this.#ledger);
    } catch (cause) {
      return [{ unreadableOutputOf: task.agent, because: messageOf(cause) } as unknown as TurnInput];
    }
  }

  /** Messages that nobody has been told of. A run that went back hears again what it undid, but not what came before. */
  #told(messages: readonly unknown[]): TurnInput[] {
    return messages.flatMap((raw) => {
      const own = givenTurn(raw, this.#ledger);
      return (this.#earlier?.rewound ? givenTurn(raw, this.#earlier.ledger) : own) ?? [];
    });
  }

  #isHint(raw: unknown): boolean {
    const hintId = this.#earlier?.rewound?.hintId;
    return hintId !== undefined && textField(Object(raw), 'id') === hintId;
  }

  #await(path: TurnPath, decision: Promise<Decision>): void {
    const pending: Pending = {
      path,
      decided: decision.then((decided) => {
        this.#note(decided);
        this.#pending.delete(pending);
      }),
    };
    this.#pending.add(pending);
  }

  #note(decision: Decision): void {
    if (decision.action === 'proceed' || this.#stop) return;
    this.#stop = decision;
    const question = decision.action === 'pause' ? alarmQuestion(decision.halt) : undefined;
    if (question) this.#pause = new AlarmInterrupt(question);
  }

  /** The same in every run of the same graph, and new each time a thread is taken up, when steps may be walked again. */
  #placeId(path: TurnPath): string {
    return this.#generation === 0 ? pathKey(path) : `r${this.#generation}|${pathKey(path)}`;
  }
}
