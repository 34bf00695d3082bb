import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { readRunLog } from '../../../collectors/importers/run-log.js';
import type { Sample } from '../../../collectors/sample.js';
import { injectStage } from '../../../collectors/stages/inject.js';
import {
  createRuntime,
  jsonlRecorder,
  memoryRecorder,
  type Turn,
  type TurnInput,
} from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { langGraphReplayer, withAuditor } from '../../../plugins/langgraph/index.js';
import { ScriptedJudge } from '../../support/scripted-judge.js';

const thread = (id: string) => ({ configurable: { thread_id: id } });
const last = (messages: readonly BaseMessage[]) => String(messages.at(-1)?.content);

/** A planner says which numbers to add, a caller has a real tool add them, a writer tells the sum. */
function addingTeam(checkpointer: MemorySaver, ran: string[]) {
  const add = tool(
    async ({ a, b }) => {
      ran.push(`${a} + ${b}`);
      return String(a + b);
    },
    { name: 'add', description: 'adds', schema: z.object({ a: z.number(), b: z.number() }) },
  );
  return new StateGraph(MessagesAnnotation)
    .addNode('planner', () => ({
      messages: [new AIMessage({ name: 'planner', content: 'Add 17 and 23 to get it.' })],
    }))
    .addNode('caller', ({ messages }) => {
      const [a, b] = (last(messages).match(/\d+/g) ?? []).map(Number);
      const call = { id: `call-${a}-${b}`, name: 'add', args: { a, b }, type: 'tool_call' as const };
      return { messages: [new AIMessage({ name: 'caller', content: '', tool_calls: [call] })] };
    })
    .addNode('tools', new ToolNode([add]))
    .addNode('writer', ({ messages }) => ({
      messages: [new AIMessage({ name: 'writer', content: `The sum is ${last(messages)}.` })],
    }))
    .addEdge(START, 'planner')
    .addEdge('planner', 'caller')
    .addEdge('caller', 'tools')
    .addEdge('tools', 'writer')
    .addEdge('writer', END)
    .compile({ checkpointer });
}

/** Runs it hooked, as in production, and takes down what is said. */
async function recorded(graph: ReturnType<typeof addingTeam>, id: string): Promise<readonly Turn[]> {
  const recorder = memoryRecorder();
  const runtime = createRuntime({ auditor: approvingAuditor(), recorder });
  await withAuditor(graph, runtime).invoke({ messages: [new HumanMessage('What is 17 + 23?')] }, thread(id));
  await runtime.flush();
  return recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
}

const request = (turns: readonly TurnInput[], step: number, content: string, id = '1') => ({
  runId: 'run',
  thread: id,
  task: 'What is 17 + 23?',
  turns,
  step,
  turn: { ...(turns[step] as TurnInput), content },
});
const signal = new AbortController().signal;

describe('a recorded run goes on from another turn, through its real nodes and tools', () => {
  test('the injected fault makes it fail where the original succeeds; its thread is left as it was', async () => {
    const ran: string[] = [];
    const checkpointer = new MemorySaver();
    const graph = addingTeam(checkpointer, ran);
    const turns = await recorded(graph, '1');
    expect(turns.at(-1)?.content).toBe('The sum is 40.');
    const before = await graph.getState(thread('1'));
    const sample: Sample = {
      id: 'sums',
      task: 'What is 17 + 23?',
      thread: '1',
      tools: [],
      turns,
      reference: '40',
      label: { kind: 'safe' },
      provenance: { format: 'run-log', source: 'runs.jsonl' },
    };
    const stage = injectStage({
      replayer: langGraphReplayer(graph),
      judge: new ScriptedJudge().always('The turn to rewrite', {
        answer: { turn: { content: 'Add 17 and 32 to get it.' }, reason: 'it is 23' },
      }),
      omega: async ({ turns: went, reference = '' }) => ({
        value: went.at(-1)?.content.includes(reference) ? 1 : 0,
        by: 'test',
        reason: String(went.at(-1)?.content),
      }),
      categories: ['wrong-plan'],
    });
    const { samples } = await stage.process(sample, signal);
    expect(samples[0]).toEqual(sample);
    expect(samples[1]).toMatchObject({
      outcome: { value: 0, reason: 'The sum is 49.' },
      label: { kind: 'unsafe', step: 1, agent: 'planner', source: 'injected' },
      provenance: { parent: 'sums', fault: { method: 'live-replay' } },
    });
    expect(samples[1]?.turns.map(({ agent, content }) => `${agent}: ${content}`)).toEqual([
      'user: What is 17 + 23?',
      'planner: Add 17 and 32 to get it.',
      'caller: ',
      'caller: 49',
      'writer: The sum is 49.',
    ]);
    expect(ran).toEqual(['17 + 23', '17 + 32']);
    expect(await graph.getState(thread('1'))).toEqual(before);
    expect(Object.keys(checkpointer.storage)).toEqual(['1']);
  });

  test('a call with other arguments is made by the real tool', async () => {
    const ran: string[] = [];
    const graph = addingTeam(new MemorySaver(), ran);
    const turns = await recorded(graph, '1');
    const call = turns[2] as Turn;
    const faulty = { ...call, toolCalls: call.toolCalls?.map((one) => ({ ...one, args: { a: 17, b: 3 } })) };
    const replay = await langGraphReplayer(graph).replay({ ...request(turns, 2, ''), turn: faulty }, signal);
    expect(replay).toMatchObject({
      turns: [{}, {}, { toolCalls: [{ args: { b: 3 } }] }, { content: '20' }, {}],
    });
    expect(ran).toEqual(['17 + 23', '17 + 3']);
  });

  test('a graph that fails on the way has failed: what was said till then, and the error', async () => {
    const graph = addingTeam(new MemorySaver(), []);
    const turns = await recorded(graph, '1');
    const replay = await langGraphReplayer(graph).replay(request(turns, 1, 'Add nothing to get it.'), signal);
    expect(replay).toMatchObject({ turns: [{}, { content: 'Add nothing to get it.' }, {}, {}, {}] });
    const broken = new StateGraph(MessagesAnnotation)
      .addNode('planner', () => ({ messages: [new AIMessage('fine')] }))
      .addNode('solver', ({ messages }) => {
        if (last(messages) !== 'fine') throw new Error('out of sorts');
        return { messages: [new AIMessage('done')] };
      })
      .addEdge(START, 'planner')
      .addEdge('planner', 'solver')
      .compile({ checkpointer: new MemorySaver() });
    const said = await recorded(broken as never, '2');
    const failed = await langGraphReplayer(broken).replay(request(said, 1, 'wrong', '2'), signal);
    expect(failed).toMatchObject({
      turns: [{}, { content: 'wrong' }],
      error: expect.stringContaining('out of sorts'),
    });
  });

  test('state that is no message is put in as the update that it is', async () => {
    const State = Annotation.Root({
      task: Annotation<string>,
      plan: Annotation<string>,
      answer: Annotation<string>,
    });
    const graph = new StateGraph(State)
      .addNode('planner', () => ({ plan: 'by train' }))
      .addNode('booker', ({ plan }) => ({ answer: `booked ${plan}` }))
      .addEdge(START, 'planner')
      .addEdge('planner', 'booker')
      .compile({ checkpointer: new MemorySaver() });
    const recorder = memoryRecorder();
    const runtime = createRuntime({ auditor: approvingAuditor(), recorder });
    await withAuditor(graph, runtime).invoke({ task: 'to Bern' }, thread('1'));
    await runtime.flush();
    const turns = recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
    const replay = await langGraphReplayer(graph).replay(request(turns, 1, '{"plan":"on foot"}'), signal);
    expect(replay).toMatchObject({ turns: [{}, {}, { content: '{"answer":"booked on foot"}' }] });
    expect(await langGraphReplayer(graph).replay(request(turns, 1, 'on foot'), signal)).toMatchObject({
      refused: expect.stringContaining('no JSON object'),
    });
  });
});

describe('what cannot be replayed is refused, and says why', () => {
  test.each([
    ['a run without a thread', { thread: undefined }, /no thread/],
    ['a thread that is gone', { thread: 'gone' }, /no checkpoints/],
    [
      'a turn that the checkpoints do not have',
      { turns: [{}, { agent: 'planner', kind: 'agent', content: 'x' }] },
      /do not have this turn/,
    ],
  ])('%s', async (_what, change, why) => {
    const graph = addingTeam(new MemorySaver(), []);
    const turns = await recorded(graph, '1');
    const asked = { ...request(turns, 1, 'Add 1 and 2 to get it.'), ...change } as never;
    expect(await langGraphReplayer(graph).replay(asked, signal)).toMatchObject({
      refused: expect.stringMatching(why),
    });
  });

  test('a step beside others', async () => {
    const say = (words: string) => () => ({ messages: [new AIMessage(words)] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('a', say('one'))
      .addNode('b', say('two'))
      .addEdge(START, 'a')
      .addEdge(START, 'b')
      .compile({ checkpointer: new MemorySaver() });
    const turns = await recorded(graph as never, '1');
    expect(await langGraphReplayer(graph).replay(request(turns, 1, 'three'), signal)).toMatchObject({
      refused: expect.stringContaining('beside'),
    });
  });

  test('a step inside a sub-graph', async () => {
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('solver', () => ({ messages: [new AIMessage('inner words')] }))
      .addEdge(START, 'solver')
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('team', inner)
      .addEdge(START, 'team')
      .compile({ checkpointer: new MemorySaver() });
    const turns = await recorded(graph as never, '1');
    expect(await langGraphReplayer(graph).replay(request(turns, 1, 'other words'), signal)).toMatchObject({
      refused: expect.stringContaining('a graph of its own'),
    });
  });
});

test('the log names the thread, so that a run which was read from it can be replayed', async () => {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'replay-')), 'runs.jsonl');
  const recorder = jsonlRecorder(file);
  const graph = addingTeam(new MemorySaver(), []);
  const runtime = createRuntime({ auditor: approvingAuditor(), recorder });
  await withAuditor(graph, runtime).invoke({ messages: [new HumanMessage('What is 17 + 23?')] }, thread('7'));
  await runtime.flush();
  await recorder.close();
  const [run] = await Array.fromAsync(readRunLog(file));
  const asked = { ...request(run?.turns ?? [], 1, 'Add 1 and 2 to get it.'), thread: run?.thread };
  expect(await langGraphReplayer(graph).replay(asked, signal)).toMatchObject({
    turns: [{}, {}, {}, {}, { content: 'The sum is 3.' }],
  });
});

test('an abort ends the replay', async () => {
  const graph = addingTeam(new MemorySaver(), []);
  const turns = await recorded(graph, '1');
  const stop = AbortSignal.abort(new Error('enough'));
  await expect(langGraphReplayer(graph).replay(request(turns, 1, 'Add 1 and 2.'), stop)).rejects.toThrow();
});
