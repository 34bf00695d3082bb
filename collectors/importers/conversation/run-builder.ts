import type { InputLocation, ReadOptions, ToolSpec, TurnInput, Usage } from '../../../core/index.js';
import { quirksOf } from '../../quirks/check.js';
import { runChecks } from '../../quirks/run-checks.js';
import type { Quirk, RecordedRun } from '../../recorded-run.js';
import { requireTurnSize } from '../turn-size.js';
import type { Message } from './message.js';
import { transferTarget } from './transfer-target.js';

/** What is known of a message beside its words. */
export interface Told {
  readonly at: InputLocation;
  /** Who speaks, where the message does not say. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly time?: number | undefined;
  readonly durationMs?: number | undefined;
  readonly usage?: Usage | undefined;
  readonly given?: boolean | undefined;
}

export interface RunFacts {
  readonly runId: string;
  readonly source: string;
  readonly task?: string | undefined;
  readonly tools?: readonly ToolSpec[] | undefined;
  readonly domain?: string | undefined;
}

interface Call {
  readonly id: string;
  readonly name: string;
  readonly agent: string;
  readonly step: number;
  answered: boolean;
}

/** Marks that exporters leave where they cut a text. */
const CUT = /[<[(][^<>[\]()\n]{0,80}truncated[^<>[\]()\n]{0,80}[>\])]\.{0,3}\s*$|\btruncated due to size\b/i;

/** Makes a run of messages in their order: links results to calls, and keeps what could not be known as quirks. */
export class RunBuilder {
  readonly turns: TurnInput[] = [];
  readonly #quirks: Quirk[] = [];
  readonly #calls: Call[] = [];
  readonly #options: ReadOptions;
  readonly #isTree: boolean;
  #thought: string | undefined;
  #latest = Number.NEGATIVE_INFINITY;

  /** @param isTree side-by-side branches are told one after the other: their times need not grow */
  constructor(options: ReadOptions, { isTree = false } = {}) {
    this.#options = options;
    this.#isTree = isTree;
  }

  /** Nothing for a system prompt, nor for a thought that belongs to the next message. */
  tell(told: Message, facts: Told): void {
    if (told.role === 'system') return;
    const { content, thought, toolCalls } = told;
    if (told.role === 'agent' && content === '' && toolCalls.length === 0 && told.handoffTo === undefined) {
      this.#thought = [this.#thought, thought].filter(Boolean).join('\n') || undefined;
      return;
    }
    const turn = this.#turnOf(told, facts);
    const step = this.turns.length;
    const texts = {
      content,
      thought: turn.thought ?? '',
      toolCalls: toolCalls.length > 0 ? JSON.stringify(toolCalls) : '',
    };
    requireTurnSize(facts.at.file, facts.at.field ?? `turns[${step}]`, texts, this.#options);
    for (const part of told.unknownParts) this.note('unknown-part', `a part of type "${part}" has no words`);
    for (const text of [content, turn.thought ?? '']) {
      if (CUT.test(text.slice(-200))) this.note('truncated-text', 'the exporter cut this text short');
    }
    if (facts.time !== undefined && facts.given !== true && !this.#isTree) {
      if (facts.time < this.#latest) this.note('clock-order', 'its time is before that of the turn before');
      this.#latest = facts.time;
    }
    this.turns.push(turn);
    for (const { id, name } of toolCalls)
      this.#calls.push({ id, name, agent: turn.agent, step, answered: false });
  }

  /** A quirk of the turn that comes next. */
  note(code: string, detail: string): void {
    this.#quirks.push({ code, step: this.turns.length, detail });
  }

  /** Whether a call of this id waits for its result, or has it already; undefined where no such call was told. */
  isAnswered(id: string): boolean | undefined {
    return this.#calls.findLast((call) => call.id === id)?.answered;
  }

  /** Calls whose results stand in another call's turn. */
  closeCalls(ids: readonly string[]): void {
    for (const call of this.#calls) if (ids.includes(call.id)) call.answered = true;
  }

  /** The call that a result answers, by id or, where it has none, the oldest open one of its tool. */
  openCall(
    id: string | undefined,
    name: string | undefined,
  ): Pick<Call, 'id' | 'name' | 'agent'> | undefined {
    return this.#find(id, name);
  }

  finish({ task, tools = [], ...facts }: RunFacts): RecordedRun {
    if (this.#thought !== undefined) {
      this.turns.push({
        agent: this.turns.at(-1)?.agent ?? 'assistant',
        kind: 'agent',
        content: '',
        thought: this.#thought,
      });
    }
    const firstAgent = this.turns.findIndex(({ kind, given }) => kind !== 'user' && given !== true);
    const before = firstAgent < 0 ? this.turns : this.turns.slice(0, firstAgent);
    const at = before.findLastIndex(({ kind }) => kind === 'user');
    const found = this.turns[at];
    const turns = this.turns.map((turn, step) => (step < at ? { ...turn, given: true } : turn));
    const open = this.#calls.filter(({ answered }) => !answered);
    const quirks = [
      ...this.#quirks,
      ...open.map(({ step, name, id }) => ({
        code: 'unanswered-call',
        step,
        detail: `the call of ${name}${id && ` (${id})`} has no result`,
      })),
    ];
    if (found) return this.#run(facts, task ?? found.content, tools, turns, quirks);
    const first: TurnInput = { agent: 'user', kind: 'user', content: task ?? '' };
    const missing =
      task === undefined ? [{ code: 'missing-input', step: 0, detail: 'nobody says what the task is' }] : [];
    const moved = quirks.map((quirk) => ({
      ...quirk,
      ...(quirk.step !== undefined && { step: quirk.step + 1 }),
    }));
    return this.#run(facts, task ?? '', tools, [first, ...turns], [...missing, ...moved]);
  }

  #run(
    facts: Omit<RunFacts, 'task' | 'tools'>,
    task: string,
    tools: readonly ToolSpec[],
    turns: readonly TurnInput[],
    quirks: readonly Quirk[],
  ): RecordedRun {
    const run = { ...facts, task, tools, turns };
    return { ...run, quirks: [...quirks, ...quirksOf(runChecks, run)] };
  }

  #turnOf(told: Message, facts: Told): TurnInput {
    const { content, toolCalls, isError, role } = told;
    const usage = told.usage ?? facts.usage;
    const common = {
      content,
      ...(facts.time !== undefined && { at: facts.time }),
      ...(facts.durationMs !== undefined && facts.durationMs >= 0 && { durationMs: facts.durationMs }),
      ...(facts.given === true && { given: true }),
    };
    if (role === 'user') return { ...common, agent: told.name ?? 'user', kind: 'user' };
    if (role === 'tool') return { ...common, ...this.#resultOf(told, facts), ...(isError && { isError }) };
    const agent = told.name ?? facts.agent ?? this.#unnamed();
    const thought = [this.#thought, told.thought].filter(Boolean).join('\n');
    this.#thought = undefined;
    const handoffTo = told.handoffTo ?? toolCalls.map(transferTarget).find(Boolean);
    const isHandoff = told.handoffTo !== undefined && toolCalls.length === 0;
    return {
      ...common,
      agent,
      kind: isHandoff ? 'handoff' : 'agent',
      ...(thought !== '' && { thought }),
      ...(toolCalls.length > 0 && { toolCalls }),
      ...(handoffTo !== undefined && { handoffTo }),
      ...(usage && { usage }),
    };
  }

  #resultOf({ toolCallId, toolName }: Message, { agent }: Told) {
    const call = this.#find(toolCallId, toolName);
    if (call) call.answered = true;
    else
      this.note('orphan-tool-result', `no open call ${toolCallId ?? toolName ?? 'without a name'} before it`);
    const id = toolCallId ?? call?.id;
    const name = toolName ?? call?.name;
    return {
      kind: 'tool' as const,
      agent: call?.agent ?? agent ?? 'environment',
      ...(id && { toolCallId: id }),
      ...(name !== undefined && { toolName: name }),
    };
  }

  #find(id: string | undefined, name: string | undefined): Call | undefined {
    const open = this.#calls.filter(({ answered }) => !answered);
    const byId = id === undefined ? undefined : open.find((call) => call.id === id);
    if (byId || id !== undefined) return byId ?? open.find((call) => call.id === '' && call.name === name);
    return open.find((call) => name === undefined || call.name === name);
  }

  #unnamed(): string {
    this.note('missing-agent-name', 'nothing says which agent speaks');
    return 'assistant';
  }
}
