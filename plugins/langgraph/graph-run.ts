import { isCommand } from '@langchain/langgraph';
import {
  type AuditSession,
  type Decision,
  type HaltDetails,
  messageOf,
  type Outcome,
  precedes,
  type Runtime,
  type ToolSpec,
  type Turn,
  type TurnInput,
  type TurnPath,
  toJsonValue,
} from '../../core/index.js';
import { type CallCounts, pathKey } from './call-site.js';
import { GraphAuditHalt } from './halt.js';
import { SeenMessages } from './seen-messages.js';
import type { Task } from './task.js';
import { givenTurn, type Ledger, turnsOf } from './to-turn.js';

/** A thread's last run, as the next invocation on the thread needs to know it. */
export interface EarlierRun {
  readonly runId: string;
  readonly task: string;
  readonly turns: readonly Turn[];
  readonly completed: boolean;
  /** Ids of turns that an alarm blamed: taking the run up overrides it. */
  readonly overridden: readonly string[];
  /** How often the thread was taken up before. */
  readonly generation: number;
  readonly ledger: Ledger;
}

export interface GraphRunInfo {
  readonly runId: string;
  readonly input: unknown;
  readonly tools: readonly ToolSpec[];
  /** The run that this one takes up. */
  readonly earlier: EarlierRun | undefined;
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
  readonly #generation: number;
  readonly #ledger: Ledger;
  readonly #pending = new Set<Pending>();
  readonly #over = Promise.withResolvers<void>();
  #isOver = false;
  #task = '';
  #session: AuditSession | undefined;
  #halt: HaltDetails | undefined;

  constructor(info: GraphRunInfo, runtime: Runtime) {
    this.#info = info;
    this.#runtime = runtime;
    this.#generation = info.earlier ? info.earlier.generation + 1 : 0;
    this.#ledger = info.earlier?.ledger ?? { seen: new SeenMessages(), callers: new Map() };
  }

  /** A graph begins, the root or an inner one: what its first node is given was said before, by others. */
  beginGraph(firstInput: unknown): void {
    if (!this.#session) this.#open(firstInput);
    else for (const raw of messagesOf(firstInput)) givenTurn(raw, this.#ledger);
  }

  /** Takes what a node said, without waiting for the verdict: {@link pass} does that where something would follow. */
  nodeEnded(task: Task, output: unknown): void {
    const { path } = task.site;
    const place = this.#placeId(path);
    const durationMs = performance.now() - task.startedAt;
    for (const [i, turn] of this.#read(task, output).entries()) {
      const session = this.#session ?? this.#open(undefined);
      this.#await(path, session.submit({ ...turn, id: `${place}#${i}`, path, durationMs }));
    }
  }

  /**
   * Waits for the verdicts on everything that precedes `path`.
   * @throws GraphAuditHalt when the run has been halted, there or in any branch
   * @throws Error when the run ended meanwhile, as after an abort: nothing may start any more
   */
  async pass(path: TurnPath | undefined): Promise<void> {
    if (path === undefined) return;
    const preceding = [...this.#pending].filter((pending) => precedes(pending.path, path));
    if (preceding.length > 0) {
      await Promise.race([Promise.all(preceding.map((pending) => pending.decided)), this.#over.promise]);
    }
    this.checkLatch();
    if (this.#isOver) throw new DOMException('the run has ended while a verdict was pending', 'AbortError');
  }

  /** @throws GraphAuditHalt when the run has been halted. Does not wait. */
  checkLatch(): void {
    if (this.#halt) throw new GraphAuditHalt(this.#halt);
  }

  /** Whether a node has started. What never gets so far, such as an update of the state from outside, is no run. */
  get hasBegun(): boolean {
    return this.#session !== undefined;
  }

  /** Nothing may start any more, and nobody waits for a verdict. */
  stop(outcome: Outcome): void {
    this.#isOver = outcome.status !== 'completed';
    if (this.#isOver) this.#over.resolve();
  }

  /** Closes the run's session. @returns what was halted, if it was */
  async end(outcome: Outcome): Promise<GraphAuditHalt | undefined> {
    const session = this.#session ?? this.#open(undefined);
    this.#note(await session.close(outcome));
    return this.#halt && new GraphAuditHalt(this.#halt);
  }

  /** For the invocation that takes this one up. */
  asEarlier(completed: boolean): EarlierRun {
    const blamed = this.#session?.alarmTurnId;
    return {
      runId: this.#info.runId,
      task: this.#task,
      turns: this.#session?.turns() ?? [],
      completed,
      overridden: [...(this.#info.earlier?.overridden ?? []), ...(blamed === undefined ? [] : [blamed])],
      generation: this.#generation,
      ledger: this.#ledger,
    };
  }

  #open(firstInput: unknown): AuditSession {
    const { runId, input, tools, earlier } = this.#info;
    const told = this.#told(messagesOf(firstInput ?? input));
    const words = taskOf(isResume(input) ? firstInput : input);
    this.#task = earlier?.task ?? told.findLast((turn) => turn.kind === 'user')?.content ?? words;
    this.#session = this.#runtime.openSession({
      runId,
      task: this.#task,
      tools,
      framework: 'langgraph',
      ...(earlier ? past(earlier, told) : given(told, this.#task)),
    });
    return this.#session;
  }

  /** A shape that cannot be read costs this turn its verdict, which is recorded as a failure, never the run. */
  #read(task: Task, output: unknown): TurnInput[] {
    try {
      const { agent, input, calledGraph } = task;
      return turnsOf(output, { agent, input, calledGraph }, this.#ledger);
    } catch (cause) {
      return [{ unreadableOutputOf: task.agent, because: messageOf(cause) } as unknown as TurnInput];
    }
  }

  #told(messages: readonly unknown[]): TurnInput[] {
    return messages.flatMap((raw) => givenTurn(raw, this.#ledger) ?? []);
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
    if (decision.action === 'halt') this.#halt ??= decision.halt;
  }

  /** The same in every run of the same graph, and new each time a thread is taken up, when steps may be walked again. */
  #placeId(path: TurnPath): string {
    return this.#generation === 0 ? pathKey(path) : `r${this.#generation}|${pathKey(path)}`;
  }
}

/** A stopped run's turns stand in the log under its own id; those of a completed one are told again, as a chat's are. */
function past({ runId, turns, completed, overridden }: EarlierRun, told: readonly TurnInput[]) {
  return completed
    ? { given: [...turns, ...told] }
    : { continues: { runId, turns, overridden }, given: told };
}

/** Turn 0 is the task, also where the graph was given other messages only. */
function given(told: readonly TurnInput[], task: string) {
  if (told.length === 0) return {};
  const first: TurnInput = { agent: 'user', kind: 'user', content: task };
  return { given: told.some((turn) => turn.kind === 'user') || task === '' ? told : [first, ...told] };
}

/** `invoke(null)` and `invoke(new Command(…))` take a thread up; anything else begins anew. */
export function isResume(input: unknown): boolean {
  if (input === null || input === undefined || isCommand(input)) return true;
  return (
    typeof input === 'object' && 'input' in input && input.input === null && Object.keys(input).length === 1
  );
}

function messagesOf(state: unknown): readonly unknown[] {
  if (typeof state !== 'object' || state === null || !('messages' in state)) return [];
  return [state.messages ?? []].flat();
}

/** Fields in which graphs without messages usually keep their task. */
const TASK_FIELDS = ['task', 'question', 'query', 'input', 'prompt', 'goal', 'topic'];

function taskOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (typeof input !== 'object' || input === null) return '';
  const fields = input as Record<string, unknown>;
  const named = TASK_FIELDS.map((field) => fields[field]).find(
    (value) => typeof value === 'string' && value !== '',
  );
  return typeof named === 'string' ? named : JSON.stringify(toJsonValue(input));
}
