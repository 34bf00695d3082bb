/**
 * What waiting for verdicts costs in wall-clock time under `gating: 'block'` and under `'overlap'`, where the next model
 * call runs while its predecessor is judged; and whether the same tools run in both when an alarm comes.
 *
 * The three ways to run a graph take turns, forwards and backwards, and each ratio is the median over rounds of two runs
 * of the same round.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { AuditHalt, type Auditor, createRuntime, everyTurn } from 'agentforesight';
import { type LangGraphHost, withAuditor } from 'agentforesight/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';

const USAGE = `Usage: npm run bench:overlap [-- --rounds N]

Wall-clock time of a run whose model takes ${100} ms and whose auditor takes ${80} ms per turn, unaudited, with gating 'block'
and with gating 'overlap'; then whether an alarm at any turn lets the same tools run under both. Takes about a minute
and a half. The table and, as the last line, one JSON object go to stdout, progress to stderr. Exits with 1 if a tool ran under
overlap that did not run under block.
`;

const MODEL_MS = 100;
const AUDIT_MS = 80;

interface Workload {
  readonly label: string;
  /** Audited turns, each of a model call or a tool. */
  readonly build: (ran: string[]) => LangGraphHost & { invoke(input: unknown): Promise<unknown> };
}

/** So many agents that speak in turn, as in a group chat; each is one model call, and the last speaks the final answer. */
function conversation(agents: number): Workload {
  const build = () => {
    const builder = new StateGraph(MessagesAnnotation) as unknown as Builder;
    for (let at = 0; at < agents; at++) {
      const model = new SlowModel([{ say: `agent ${at} adds its part` }]);
      const node = async ({ messages }: { messages: AIMessage[] }) => ({
        messages: [await model.invoke(messages)],
      });
      builder.addNode(`agent-${at}`, node, { metadata: { audit: 'overlap' } });
      builder.addEdge(at === 0 ? START : `agent-${at - 1}`, `agent-${at}`);
    }
    builder.addEdge(`agent-${agents - 1}`, END);
    return builder.compile();
  };
  return { label: `conversation, ${agents} model calls`, build };
}

/** What the benchmark uses of LangGraph's builder, whose own type knows every node by name. */
interface Builder {
  addNode(name: string, node: unknown, options: object): void;
  addEdge(from: string, to: string): void;
  compile(): ReturnType<Workload['build']>;
}

/** One agent that calls a tool so many times; a tool waits for the verdict on its call in any case. */
function toolAgent(calls: number): Workload {
  const build = (ran: string[]) => {
    const replies = Array.from({ length: calls }, (_, at) => ({ say: `step ${at}`, calls: at }));
    const note = tool(
      async ({ at }) => {
        ran.push(`note ${at}`);
        return 'noted';
      },
      { name: 'note', description: 'Notes', schema: z.object({ at: z.number() }) },
    );
    return createAgent({ model: new SlowModel([...replies, { say: 'done' }]), tools: [note], name: 'solo' });
  };
  return {
    label: `tool agent, ${calls + 1} model calls, ${calls} tools`,
    build: build as unknown as Workload['build'],
  };
}

interface Reply {
  readonly say: string;
  /** The tool is called with this number. */
  readonly calls?: number;
}

/** Stands in for a provider: it answers by script, as late as one would. */
class SlowModel extends BaseChatModel {
  readonly #replies: Reply[];

  constructor(replies: readonly Reply[]) {
    super({});
    this.#replies = [...replies];
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    await delay(MODEL_MS);
    const { say, calls } = this.#replies.shift() ?? { say: 'nothing is left to say' };
    const tool_calls =
      calls === undefined ? [] : [{ id: `call-${calls}`, name: 'note', args: { at: calls } }];
    const message = new AIMessage({ content: say, tool_calls });
    return { generations: [{ text: say, message }] };
  }

  override _llmType(): string {
    return 'slow';
  }
}

/** Takes its time, and raises an alarm at one turn, if it is told to. */
function slowAuditor(alarmAt = Number.POSITIVE_INFINITY, takes = AUDIT_MS): Auditor {
  let asked = 0;
  return {
    schedule: everyTurn(),
    audit: async ({ prefix }) => {
      const alarms = asked++ === alarmAt;
      await delay(takes);
      const { index: step, agent } = prefix.newest;
      return alarms ? { kind: 'alarm', step, agent, reason: 'the benchmark says so' } : { kind: 'continue' };
    },
  };
}

const input = { messages: [{ role: 'user', content: 'go' }] };

async function wallClock({ build }: Workload, gating: 'none' | 'block' | 'overlap'): Promise<number> {
  const graph = build([]);
  const host =
    gating === 'none' ? graph : withAuditor(graph, createRuntime({ auditor: slowAuditor(), gating }));
  const started = performance.now();
  await host.invoke(input);
  return performance.now() - started;
}

interface Measured {
  readonly label: string;
  /** Milliseconds of the unaudited run, and how much longer the audited ones take. */
  readonly unaudited: number;
  readonly block: number;
  readonly overlap: number;
}

async function measure(workload: Workload, rounds: number): Promise<Measured> {
  const ways = ['none', 'block', 'overlap'] as const;
  const taken = { none: [] as number[], block: [] as number[], overlap: [] as number[] };
  for (const gating of ways) await wallClock(workload, gating);
  for (let round = 0; round < rounds; round++) {
    for (const gating of round % 2 === 0 ? ways : ways.toReversed()) {
      taken[gating].push(await wallClock(workload, gating));
    }
  }
  const ratio = (times: readonly number[]) =>
    median(times.map((time, round) => time / (taken.none[round] ?? 0)));
  return {
    label: workload.label,
    unaudited: median(taken.none),
    block: ratio(taken.block),
    overlap: ratio(taken.overlap),
  };
}

/** The tools that run when the alarm comes at each turn in turn, until one comes too late. */
async function toolsUnderAlarms({ build }: Workload, gating: 'block' | 'overlap'): Promise<string[]> {
  const outcomes: string[] = [];
  for (let at = 0; ; at++) {
    const ran: string[] = [];
    const runtime = createRuntime({ auditor: slowAuditor(at, AUDIT_MS / 10), gating });
    const halted = await withAuditor(build(ran), runtime)
      .invoke(input)
      .then(() => false, isHalt);
    await delay(MODEL_MS); // what a halt failed to stop would show by now
    outcomes.push(`alarm ${at}: ${ran.join(', ')}`);
    if (!halted) return outcomes;
  }
}

function isHalt(error: unknown): true {
  if (!(error instanceof AuditHalt)) throw error;
  return true;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const [low, high] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  return ((low ?? Number.NaN) + (high ?? Number.NaN)) / 2;
}

const rounded = (value: number) => Number(value.toFixed(3));

function printTable(rows: readonly Measured[]): void {
  console.log(`${''.padEnd(36)}${'unaudited'.padStart(11)}${'block'.padStart(9)}${'overlap'.padStart(9)}`);
  for (const { label, unaudited, block, overlap } of rows) {
    const cells = [
      `${unaudited.toFixed(0)} ms`.padStart(11),
      block.toFixed(2).padStart(9),
      overlap.toFixed(2).padStart(9),
    ];
    console.log(`${label.padEnd(36)}${cells.join('')}`);
  }
}

async function main(rounds: number): Promise<void> {
  console.error = silenced(console.error);
  const rows: Measured[] = [];
  for (const workload of [conversation(6), conversation(12), toolAgent(3)]) {
    process.stderr.write(`${workload.label}\n`);
    rows.push(await measure(workload, rounds));
  }
  process.stderr.write('alarms\n');
  const [block, overlap] = [
    await toolsUnderAlarms(toolAgent(3), 'block'),
    await toolsUnderAlarms(toolAgent(3), 'overlap'),
  ];
  const sameTools = block.join('\n') === overlap.join('\n');
  printTable(rows);
  console.log(
    `an alarm at each of ${block.length - 1} turns: ${sameTools ? 'the same' : 'OTHER'} tools run under both`,
  );
  const [headline] = rows as [Measured];
  const shown = { overlap: rounded(headline.overlap), block: rounded(headline.block), sameTools };
  console.log(JSON.stringify({ langgraph: shown }));
  if (!sameTools) process.exitCode = 1;
}

/** LangChain prints every throw of a callback handler, here each halt. */
function silenced(print: typeof console.error): typeof console.error {
  return (...args) => (String(args[0]).startsWith('Error in handler AuditHook') ? undefined : print(...args));
}

const { values } = parseArgs({
  options: { help: { type: 'boolean' }, rounds: { type: 'string', default: '11' } },
});
const rounds = Number(values.rounds);
if (values.help) process.stdout.write(USAGE);
else if (Number.isInteger(rounds) && rounds > 0) await main(rounds);
else {
  process.stderr.write(`--rounds: ${values.rounds} is not a whole number above 0\n`);
  process.exitCode = 2;
}
