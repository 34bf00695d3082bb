import type { StateSnapshot } from '@langchain/langgraph';
import type { TurnInput } from '../../core/index.js';
import type { CompiledGraph, InvokeOptions } from './compiled-graph.js';
import type { EarlierRun } from './earlier-run.js';
import { asMessage, messageFields } from './messages.js';
import { givenTurns, messagesOf, taskOf } from './run-input.js';
import { calledBy } from './saved-calls.js';
import { SeenMessages } from './seen-messages.js';
import { agentOf } from './task.js';
import { givenTurn, type Ledger, newLedger, turnsOf } from './to-turn.js';

/**
 * A thread's past, read from its checkpoints: for a new process, and for a rewind, whose later turns are no past. Of an
 * agent that was called inside a function it has the messages, by the name that they bear or else the node's.
 * @param agentName the hooked graph's, if it is an agent of `createAgent`
 * @returns nothing for a thread without checkpoints
 */
export async function savedPast(
  graph: CompiledGraph,
  config: InvokeOptions,
  agentName: string | undefined,
): Promise<EarlierRun | undefined> {
  const seen = new SeenMessages({ copies: true });
  const ledger = newLedger(seen);
  const history = await lineage(graph, config);
  if (history.length === 0) return undefined;
  const turns: TurnInput[] = [];
  let task: string | undefined;
  for (const snapshot of history) {
    turns.push(...givenIn(snapshot, ledger), ...(await turnsAfter(graph, snapshot, agentName, ledger)));
    const input = snapshot.tasks.find(({ name }) => name === '__start__')?.result;
    if (input !== undefined) task = wordsOf(input) ?? task ?? taskOf(input);
  }
  seen.endCopies();
  return {
    runId: undefined,
    task: task ?? '',
    turns: (givenTurns(turns, task ?? '').given ?? []).map((turn, i) => ({ ...turn, id: `saved-${i}` })),
    completed: false,
    overridden: [],
    blamed: undefined,
    unjudged: [],
    places: new Map(),
    generation: 0,
    ledger,
    rewound: undefined,
  };
}

/** Messages that no task has said: the input, edits from outside, hints. They stand where they first appear. */
export function givenIn({ values }: StateSnapshot, ledger: Ledger): TurnInput[] {
  return messagesOf(values).flatMap((raw) => givenTurn(raw, ledger) ?? []);
}

/** What the user asks, in a graph with messages. */
function wordsOf(input: unknown): string | undefined {
  const asked = messagesOf(input).map(asMessage);
  const last = asked.findLast((message) => message?.getType() === 'human');
  return last && messageFields(last)?.content;
}

/**
 * The checkpoints that led to the one which `config` names, or to the newest, oldest first. What ran from a checkpoint
 * that was gone back to, then or now, has been undone: but for the input it is then without tasks.
 */
export async function lineage(
  graph: CompiledGraph,
  { configurable }: InvokeOptions,
): Promise<StateSnapshot[]> {
  const { thread_id, checkpoint_ns, checkpoint_id } = configurable ?? {};
  const byId = new Map<unknown, StateSnapshot>();
  for await (const snapshot of graph.getStateHistory({ configurable: { thread_id, checkpoint_ns } })) {
    byId.set(snapshot.config.configurable?.['checkpoint_id'], snapshot);
  }
  const newest = byId.keys().next().value;
  const line: StateSnapshot[] = [];
  let isUndone = checkpoint_id !== undefined && checkpoint_id !== newest;
  let at = byId.get(checkpoint_id ?? newest);
  while (at) {
    const tasks = isUndone ? at.tasks.filter(({ name }) => name === '__start__') : at.tasks;
    line.push({ ...at, tasks });
    isUndone = at.metadata?.source === 'update' || at.metadata?.source === 'fork';
    at = byId.get(at.parentConfig?.configurable?.['checkpoint_id']);
  }
  return line.reverse();
}

/** What the tasks that ran from a checkpoint said, in LangGraph's own order; inner graphs speak before the node around them. */
export async function turnsAfter(
  graph: CompiledGraph,
  { config, tasks, values }: StateSnapshot,
  enclosing: string | undefined,
  ledger: Ledger,
): Promise<TurnInput[]> {
  const turns: TurnInput[] = [];
  for (const { id, name, state, result } of tasks) {
    if (name === '__start__') continue;
    const agent = agentOf(name, undefined, enclosing);
    const inner = isConfig(state) ? await lineage(graph, state) : [];
    for (const [i, snapshot] of inner.entries()) {
      const given = givenIn(snapshot, ledger); // what an inner graph is given first was said outside
      turns.push(...(i === 0 ? [] : given), ...(await turnsAfter(graph, snapshot, agent, ledger)));
    }
    const called = inner.length > 0 ? [] : await calledBy(`${name}:${id}`, graph, config);
    for (const { node, values: saved } of called) {
      const speaker = { agent: agentOf(node, undefined, agent), calledGraph: true };
      const own = messagesOf(saved).filter((raw) => asMessage(raw)?.getType() !== 'human');
      turns.push(...turnsOf({ messages: own }, speaker, ledger));
    }
    const innerResults = [...inner.slice(-1), ...called].map(({ values: saved }) => saved);
    const calledGraph = innerResults.length > 0;
    if (result !== undefined)
      turns.push(...turnsOf(result, { agent, input: values, calledGraph, innerResults }, ledger));
  }
  return turns;
}

/** The state of an inner graph is named by a config, unless it was asked for whole. */
function isConfig(state: unknown): state is InvokeOptions {
  return typeof state === 'object' && state !== null && !('values' in state);
}
