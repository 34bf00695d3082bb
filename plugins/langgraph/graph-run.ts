import { isCommand } from '@langchain/langgraph';
import {
  type AuditSession,
  type Decision,
  type HaltDetails,
  type Outcome,
  precedes,
  type Runtime,
  type ToolSpec,
  type Turn,
  type TurnInput,
  type TurnPath,
  toJsonValue,
} from '../../core/index.js';
import { GraphAuditHalt } from './halt.js';
import { SeenMessages } from './seen-messages.js';
import type { Task } from './task.js';
import { givenTurn, type Ledger, turnsOf } from './to-turn.js';

/** A run that ended before it was completed, as the next invocation on its thread needs to know it. */
export interface UnfinishedRun {
  readonly runId: string;
  readonly task: string;
  readonly turns: readonly Turn[];
  /** How often the thread was taken up before. */
  readonly generation: number;
}

export interface GraphRunInfo {
  readonly runId: string;
  readonly input: unknown;
  readonly tools: readonly ToolSpec[];
  readonly continues: UnfinishedRun | undefined;
}

/** A verdict that is under way. */
interface Pending {
  readonly path: TurnPath;
  readonly decided: Promise<void>;
}

/** One invocation of the hooked graph and all that runs inside it, down to agents hidden in functions and tools. */
export class GraphRun {
  /** A node has stopped to ask a human. */
  interrupted = false;
  readonly #info: GraphRunInfo;
  readonly #generation: number;
  readonly #runtime: Runtime;
  readonly #ledger: Ledger = { seen: new SeenMessages(), callers: new Map() };
  readonly #pending = new Set<Pending>();
  #task = '';
  #session: AuditSession | undefined;
  #halt: HaltDetails | undefined;

  constructor(info: GraphRunInfo, runtime: Runtime) {
    this.#info = info;
    this.#runtime = runtime;
    this.#generation = info.continues ? info.continues.generation + 1 : 0;
  }

  /** A graph begins, the root or an inner one: what its first node is given was said before, by others. */
  beginGraph(firstInput: unknown): void {
    if (!this.#session) this.#open(firstInput);
    else for (const raw of messagesOf(firstInput)) givenTurn(raw, this.#ledger);
  }

  /** Takes what a node said, without waiting for the verdict: {@link pass} does that where something would follow. */
  nodeEnded(task: Task, output: unknown): void {
    const turns = turnsOf(output, task.agent, task.ranGraph, this.#ledger);
    const place = this.#prefixId(task);
    const durationMs = performance.now() - task.startedAt;
    for (const [i, turn] of turns.entries()) {
      const session = this.#session ?? this.#open(undefined);
      this.#await(task.path, session.submit({ ...turn, id: `${place}#${i}`, path: task.path, durationMs }));
    }
  }

  /**
   * Waits for the verdicts on everything that precedes `path`.
   * @throws GraphAuditHalt when the run has been halted, there or in any branch
   */
  async pass(path: TurnPath): Promise<void> {
    const preceding = [...this.#pending].filter((pending) => precedes(pending.path, path));
    if (preceding.length > 0) await Promise.all(preceding.map((pending) => pending.decided));
    if (this.#halt) throw new GraphAuditHalt(this.#halt);
  }

  /** Ends the run. @returns what was halted, if it was */
  async end(outcome: Outcome): Promise<GraphAuditHalt | undefined> {
    const session = this.#session ?? this.#open(undefined);
    this.#note(await session.close(outcome));
    return this.#halt && new GraphAuditHalt(this.#halt);
  }

  /** All turns so far, for the invocation that takes this one up. */
  unfinished(): UnfinishedRun {
    return {
      runId: this.#info.runId,
      task: this.#task,
      turns: this.#session?.turns() ?? [],
      generation: this.#generation,
    };
  }

  #open(firstInput: unknown): AuditSession {
    const { runId, input, tools, continues } = this.#info;
    const told = this.#told(messagesOf(firstInput ?? input));
    const turns = continues
      ? { continues: { runId: continues.runId, turns: continues.turns } }
      : told.length > 0
        ? { given: told }
        : {};
    this.#task = continues?.task ?? told.findLast((turn) => turn.kind === 'user')?.content ?? taskOf(input);
    this.#session = this.#runtime.openSession({
      runId,
      task: this.#task,
      tools,
      framework: 'langgraph',
      ...turns,
    });
    return this.#session;
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
  #prefixId(task: Task): string {
    const place = task.path.map(({ step, lane }) => `${step}:${lane}`).join('|');
    return this.#generation === 0 ? place : `r${this.#generation}|${place}`;
  }
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
