import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MemorySaver, MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AuditRequest } from '../../../core/auditor.js';
import { AuditHalt, createRuntime, everyTurn } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { contents, pausing, questions } from '../../support/alarmed-graphs.js';
import { input } from '../../support/graphs.js';
import {
  addTool,
  type plainGraph,
  scriptedModel,
  type TeamOptions,
  task,
  teams,
} from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

describe.each(Object.keys(teams) as (keyof typeof teams)[])('%s', (name) => {
  // The teams differ in what their state holds, not in how they are run.
  const team = teams[name] as unknown as (options: TeamOptions) => ReturnType<typeof plainGraph>;

  test('paused at any turn and resumed, it does all that the bare team does, once', async () => {
    const bareRan: string[] = [];
    const bare = await team({ ran: bareRan }).invoke(task);
    let pauses = 0;
    for (let at = 0; ; at++) {
      const ran: string[] = [];
      let asked = 0;
      const audit = ({ prefix: { newest } }: AuditRequest) =>
        asked++ === at
          ? ({ kind: 'alarm', step: newest.index, agent: newest.agent, reason: 'wrong' } as const)
          : ({ kind: 'continue' } as const);
      const runtime = createRuntime({ auditor: { audit, schedule: everyTurn() }, onAlarm: 'pause' });
      const app = withAuditor(team({ ran, checkpointer: new MemorySaver() }), runtime);
      const paused = await app.invoke(task, config).catch((error: unknown) => error);
      if (asked <= at) break;
      if (paused instanceof AuditHalt) {
        expect(ran, 'a halt, where only the end was left to pause before').toEqual(bareRan);
        continue;
      }
      expect(questions(paused)).toHaveLength(1);
      pauses++;
      const { messages } = await app.invoke(null, config);
      expect(contents(messages)).toEqual(contents(bare.messages));
      expect(ran, `paused at audit ${at}`).toEqual(bareRan);
    }
    expect(pauses).toBeGreaterThan(1);
  });
});

test('an agent inside a tool is paused in the middle, and goes on there', async () => {
  const ran: string[] = [];
  const helper = createAgent({
    model: scriptedModel('helper', ran, [
      { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
      'three',
    ]),
    tools: [addTool(ran)],
    name: 'helper',
  });
  const ask = tool(async () => String((await helper.invoke(task)).messages.at(-1)?.content), {
    name: 'ask_helper',
    description: 'Asks',
    schema: z.object({}),
  });
  const boss = createAgent({
    model: scriptedModel('boss', ran, [{ call: { name: 'ask_helper' } }, 'done']),
    tools: [ask],
    name: 'boss',
    checkpointer: new MemorySaver(),
  });
  const app = withAuditor(boss, pausing().runtime);
  expect(questions(await app.invoke(task, config))).toHaveLength(1);
  expect(ran).toEqual(['model:boss', 'model:helper']);
  const { messages } = await app.invoke(null, config);
  expect(ran).toEqual(['model:boss', 'model:helper', 'tool:add', 'model:helper', 'model:boss']);
  expect(contents(messages).slice(1)).toEqual(['', 'three', 'done']);
});

test('a worker of a fan-out: its siblings are done, the join waits', async () => {
  const ran: string[] = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('worker', async ({ part }: { part: number }) => {
      ran.push(`worker ${part}`);
      return { messages: [new AIMessage({ id: `w${part}`, content: part === 1 ? 'WRONG' : `did ${part}` })] };
    })
    .addNode('join', async () => {
      ran.push('join');
      return { messages: [new AIMessage({ id: 'join', content: 'joined' })] };
    })
    .addConditionalEdges(START, () => [0, 1, 2].map((part) => new Send('worker', { part })), ['worker'])
    .addEdge('worker', 'join')
    .addEdge('join', END)
    .compile({ checkpointer: new MemorySaver() });
  const app = withAuditor(graph, pausing().runtime);
  expect(questions(await app.invoke(input, config))).toHaveLength(1);
  expect(ran).toEqual(['worker 0', 'worker 1', 'worker 2']);
  const { messages } = await app.invoke(null, config);
  expect(contents(messages)).toEqual(['go', 'did 0', 'WRONG', 'did 2', 'joined']);
  expect(ran).toHaveLength(4);
});
