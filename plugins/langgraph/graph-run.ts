import {
  AuditHalt,
  type AuditSession,
  type CallCounts,
  messageOf,
  type Outcome,
  pathKey,
  type Runtime,
  type ToolSpec,
  type TurnInput,
  type TurnPath,
} from '../../core/index.js';
import { type EarlierRun, owedTurns, pastOf } from './earlier-run.js';
import { GraphAuditHalt } from './halt.js';
import type { Invocation } from './invocation.js';
import { textField } from './messages.js';
import { type Recovery, recoveryFrom } from './recovery.js';
import { RunGate } from './run-gate.js';
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

/** One invocation of the hooked graph and all that runs inside it, down to agents hidden in functions and tools. */
export class GraphRun {
  readonly gate: RunGate;
  /** Rounds of calls by place, for every {@link Task} of the run. */
  readonly callCounts: CallCounts = new Map();
  /** A node of the root graph has stopped to ask a human. */
  interrupted = false;
  readonly #info: GraphRunInfo;
  readonly #runtime: Runtime;
  readonly #earlier: EarlierRun | undefined;
  readonly #generation: number;
  readonly #ledger: Ledger;
  /** Where each turn was said, for going back there. */
  readonly #places: Map<string, TaskPlace>;
  /** Who was seen at work. */
  readonly #agents = new Set<string>();
  #task = '';
  #session: AuditSession | undefined;

  constructor(info: GraphRunInfo, runtime: Runtime) {
    this.#info = info;
    this.#runtime = runtime;
    const { earlier, standing } = info.invocation ?? {};
    this.#earlier = earlier;
    this.gate = new RunGate(standing);
    this.#generation = earlier ? earlier.generation + 1 : 0;
    const isTold = earlier && !earlier.rewound;
    this.#ledger = isTold ? earlier.ledger : newLedger(new SeenMessages(), earlier?.ledger.callers);
    for (const raw of earlier?.rewound?.known ?? []) givenTurn(raw, this.#ledger);
    this.#places = new Map(earlier?.places);
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
      if (turn && this.#isHint(raw)) this.gate.expect(path, session.submit({ ...turn, path, given: true }));
    }
  }

  /** Takes what a node said, without waiting for the verdict: the gate does that where something would follow. */
  nodeEnded(task: Task, output: unknown): void {
    const { path } = task.site;
    const place = this.#placeId(path);
    const durationMs = performance.now() - task.startedAt;
    const turns = this.#read(task, output);
    this.#agents.add(task.agent);
    this.#info.selfCheck.spoke(task, turns, this.#agents);
    let said = 0;
    for (const turn of turns) {
      const session = this.#session ?? this.#open(undefined);
      const id = `${place}#${said++}`;
      if (this.#runtime.onAlarm === 'recover') this.#places.set(id, task.place);
      this.gate.expect(path, session.submit({ ...turn, id, path, durationMs }));
    }
  }

  /** A tool has returned, or thrown an error. One that is retried may still succeed. */
  toolEnded(toolCallId: string, error: unknown): void {
    const { failedCalls, haltedCalls } = this.#ledger;
    if (error === undefined) failedCalls.delete(toolCallId);
    else failedCalls.add(toolCallId);
    if (error instanceof AuditHalt) haltedCalls.add(toolCallId);
    else haltedCalls.delete(toolCallId);
  }

  /** Whether it waits for a human, whom the host has asked or we. */
  get waits(): boolean {
    return this.interrupted || this.gate.isAsked;
  }

  /** Whether a node has started. What never gets so far, such as an update of the state from outside, is no run. */
  get hasBegun(): boolean {
    return this.#session !== undefined;
  }

  /** Closes the run's session. @returns what to throw, if the run was stopped and no human has been asked */
  async end(outcome: Outcome): Promise<GraphAuditHalt | undefined> {
    const session = this.#session ?? this.#open(undefined);
    this.gate.note(await session.close(outcome));
    const { stopped, isAsked } = this.gate;
    return stopped && !isAsked ? new GraphAuditHalt(stopped.halt) : undefined;
  }

  /** For the invocation that takes this one up. */
  asEarlier(completed: boolean): EarlierRun {
    return {
      runId: this.#info.runId,
      task: this.#task,
      turns: this.#session?.turns() ?? [],
      completed,
      overridden: this.#earlier?.overridden ?? [],
      blamed: this.#session?.alarmTurnId ?? this.#earlier?.blamed,
      unjudged: this.#session?.unjudgedIds ?? [],
      places: this.#places,
      generation: this.#generation,
      ledger: this.#ledger,
      rewound: undefined,
    };
  }

  /** What going back to before the blamed step takes, if that is what the gate has decided. */
  recovery(): Recovery | undefined {
    const { stopped } = this.gate;
    if (stopped?.action !== 'recover') return undefined;
    const recoveries = (this.#earlier?.rewound?.recoveries ?? 0) + 1;
    return recoveryFrom(stopped.halt, this.asEarlier(false), this.#places, recoveries);
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
      thread: invocation?.thread?.id,
      can: invocation?.thread ? ['pause', 'recover'] : [],
      ...(earlier ? pastOf(earlier, told) : givenTurns(told, this.#task)),
    });
    for (const turn of earlier ? owedTurns(earlier) : []) this.gate.expect([], this.#session.submit(turn));
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
    const { rewound, ledger } = this.#earlier ?? {};
    const told = messages.flatMap((raw) => {
      const own = givenTurn(raw, this.#ledger);
      return (rewound && ledger ? givenTurn(raw, ledger) : own) ?? [];
    });
    // Where the first task is not given the hint, as a worker of a fan-out, it comes round later as an old message.
    if (rewound?.hintsRoot) givenTurn(rewound.hint, this.#ledger);
    return told;
  }

  #isHint(raw: unknown): boolean {
    const hint = this.#earlier?.rewound?.hint;
    return hint?.id !== undefined && textField(Object(raw), 'id') === hint.id;
  }

  /** The same in every run of the same graph, and new each time a thread is taken up, when steps may be walked again. */
  #placeId(path: TurnPath): string {
    return this.#generation === 0 ? pathKey(path) : `r${this.#generation}|${pathKey(path)}`;
  }
}
