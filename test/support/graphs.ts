import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import {
  type AuditRecord,
  createRuntime,
  memoryRecorder,
  type RuntimeOptions,
  type Turn,
} from '../../core/index.js';
import { approvingAuditor, ScriptedAuditor } from '../../core/testing/index.js';

export const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Says something once something else is done. */
export async function saying(text: string, done: unknown): Promise<string> {
  await done;
  return text;
}

/** Work that notes when it starts and when it ends, and then says something. */
export function noting(ran: string[], name: string, milliseconds = 0): () => Promise<string> {
  return async () => {
    ran.push(`start ${name}`);
    await pause(milliseconds);
    ran.push(`end ${name}`);
    return `${name} speaks`;
  };
}

/** A node that says what its work returns. */
export function node(work: NodeWork) {
  return async () => asUpdate(await work());
}

type Says = BaseMessage | BaseMessage[] | string;
type NodeWork = () => Says | Promise<Says>;

const asUpdate = (said: Says) => ({ messages: typeof said === 'string' ? [new AIMessage(said)] : said });

/** A graph of nodes in a row, each saying what its function returns. */
export function inARow(
  nodes: Record<string, NodeWork>,
  options: Parameters<StateGraph<unknown>['compile']>[0] = {},
) {
  // Node names are data here, which the builder's types cannot follow.
  const builder = new StateGraph(MessagesAnnotation) as unknown as {
    addNode(name: string, work: () => Promise<unknown>, options?: object): unknown;
    addEdge(from: string, to: string): unknown;
    compile(options: unknown): ReturnType<typeof oneNode>;
  };
  const names = Object.keys(nodes);
  for (const [name, work] of Object.entries(nodes)) builder.addNode(name, async () => asUpdate(await work()));
  for (const [i, name] of names.entries()) builder.addEdge(i === 0 ? START : (names[i - 1] as string), name);
  builder.addEdge(names.at(-1) as string, END);
  return builder.compile(options);
}

function oneNode() {
  return new StateGraph(MessagesAnnotation)
    .addNode('node', async () => asUpdate(''))
    .addEdge(START, 'node')
    .compile();
}

export const input = { messages: [{ role: 'user', content: 'go', id: 'task' }] };

/** Raises an alarm at the first turn that holds the word WRONG. @param delay how long each verdict takes, in milliseconds */
export function wrongSpotter(delay = 0): ScriptedAuditor {
  return new ScriptedAuditor([], async ({ prefix }: { prefix: { newest: Turn } }) => {
    if (delay > 0) await pause(delay);
    const { index, agent, content, toolCalls } = prefix.newest;
    const wrong = `${content}${JSON.stringify(toolCalls ?? '')}`.includes('WRONG');
    return wrong ? { kind: 'alarm', step: index, agent, reason: 'says WRONG' } : { kind: 'continue' };
  });
}

/** Raises an alarm at the first turn of an agent. */
export function blaming(blamed: string): ScriptedAuditor {
  return new ScriptedAuditor([], ({ prefix }: { prefix: { newest: Turn } }) => {
    const { index, agent } = prefix.newest;
    return agent === blamed
      ? { kind: 'alarm', step: index, agent, reason: 'this step is wrong' }
      : { kind: 'continue' };
  });
}

/** A runtime, and what was told to it. */
export function watching(options: RuntimeOptions = {}) {
  const recorder = memoryRecorder();
  const auditor = approvingAuditor();
  const runtime = createRuntime({ auditor, recorder, ...options });
  const turns = () => turnsOf(recorder.records);
  return {
    runtime,
    auditor,
    recorder,
    turns,
    told: () => turns().map(({ agent, content }) => `${agent}: ${content}`),
  };
}

function turnsOf(records: readonly AuditRecord[]): Turn[] {
  return records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
}
