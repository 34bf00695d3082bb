import type { BaseMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  type BaseCheckpointSaver,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, nameOf, offences } from '../../support/alarms.js';
import { marksFailedCalls, toolNodePassesHalt } from '../../support/framework-versions.js';
import { blaming, inARow, input, noting, watching } from '../../support/graphs.js';
import { type plainGraph, scriptedModel, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** A tool that lets a graph of two nodes work on its topic. */
function research(ran: string[]) {
  return tool(
    async ({ topic, wait = 0 }) => {
      ran.push(`start research ${topic}`);
      await inARow({
        reads: noting(ran, `reads ${topic}`, wait),
        writes: noting(ran, `writes ${topic}`),
      }).invoke(input);
      ran.push(`end research ${topic}`);
      return `found ${topic}`;
    },
    {
      name: 'research',
      description: 'Researches a topic',
      schema: z.object({ topic: z.string(), wait: z.number().optional() }),
    },
  );
}

const researches = (topic: string, wait?: number) => ({ name: 'research', args: { topic, wait } });

interface Boss {
  readonly ran: string[];
  readonly replies: Parameters<typeof scriptedModel>[2];
  readonly checkpointer?: BaseCheckpointSaver;
}

/** One agent and its tool, with each library's own tool node. The graphs differ in state, not in how they are called. */
const bosses: Record<string, (boss: Boss) => ReturnType<typeof plainGraph>> = {
  createAgent: ({ ran, replies, checkpointer }) =>
    createAgent({
      model: scriptedModel('boss', ran, replies),
      tools: [research(ran)],
      name: 'boss',
      ...(checkpointer ? { checkpointer } : {}),
    }).graph as unknown as ReturnType<typeof plainGraph>,
  ToolNode: ({ ran, replies, checkpointer }) => {
    const model = scriptedModel('boss', ran, replies);
    return new StateGraph(MessagesAnnotation)
      .addNode('boss', async ({ messages }) => ({ messages: [await model.invoke(messages)] }))
      .addNode('tools', new ToolNode([research(ran)]))
      .addEdge(START, 'boss')
      .addConditionalEdges('boss', toolsCondition, ['tools', END])
      .addEdge('tools', 'boss')
      .compile(checkpointer ? { checkpointer } : {}) as unknown as ReturnType<typeof plainGraph>;
  },
};

describe.each(Object.keys(bosses))('%s', (library) => {
  const boss = bosses[library] as (boss: Boss) => ReturnType<typeof plainGraph>;

  test('parallel tools that let graphs work: an alarm stops each of them at its next step', async () => {
    const replies = [{ call: [researches('x', 20), researches('y', 1)] }, 'Done.'];
    const runs = await alarmAtEveryTurn((ran, hook) => hook(boss({ ran, replies })).invoke(task));
    expect(runs.map(({ blamed }) => nameOf(blamed)).toSorted()).toEqual([
      'boss: Done.',
      'boss: [research] [research]',
      'boss: found x',
      'boss: found y',
      'reads: reads x speaks',
      'reads: reads y speaks',
      'writes: writes x speaks',
      'writes: writes y speaks',
    ]);
    // The other tool's work stands beside this one's.
    const other: Record<string, string> = { x: ' y', y: ' x' };
    const beside = (event: string, { content }: { content: string }) =>
      event.endsWith(other[/\b[xy]\b/.exec(content)?.[0] ?? ''] ?? 'none');
    expect(offences(runs, beside)).toEqual([]);
  });

  const alarmOnCall = { kind: 'alarm', step: 1, agent: 'boss', reason: 'no topic of ours' };
  const replies = [{ call: [researches('x'), researches('y')] }, 'Done.'];

  test('an alarm on a call leaves it unanswered; resuming runs the tools', async () => {
    const ran: string[] = [];
    const auditor = new ScriptedAuditor([alarmOnCall], proceed);
    const graph = boss({ ran, replies, checkpointer: new MemorySaver() });
    const app = withAuditor(graph, createRuntime({ auditor }));
    await expect(app.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);
    const { values, next } = await app.getState(config);
    expect(values.messages.at(-1)?.tool_calls).toHaveLength(2);
    expect(new Set(next)).toEqual(new Set(['tools']));
    expect(ran).toEqual(['model:boss']);
    const { messages } = await app.invoke(null, config);
    expect(messages.slice(2).map(({ text }) => text)).toEqual(['found x', 'found y', 'Done.']);
  });

  test('who says something new instead of resuming leaves the blocked tools behind', async () => {
    const ran: string[] = [];
    const auditor = new ScriptedAuditor([alarmOnCall], proceed);
    const graph = boss({ ran, replies, checkpointer: new MemorySaver() });
    const app = withAuditor(graph, createRuntime({ auditor }));
    await expect(app.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);
    await app.invoke({ messages: [{ role: 'user', content: 'Never mind.', id: 'second' }] }, config);
    expect(ran).toEqual(['model:boss', 'model:boss']);
    const seen = auditor.requests.at(-1)?.turns ?? [];
    expect(seen.map((turn) => `${turn.given ? 'given ' : ''}${nameOf(turn)}`)).toEqual([
      'given user: What is 17 + 23?',
      `given ${library === 'createAgent' ? 'boss' : 'assistant'}: [research] [research]`,
      'given user: Never mind.',
      'boss: Done.',
    ]);
  });

  test('a tool that fails is told as the failed call of the agent that made it', async () => {
    const { runtime, turns } = watching();
    const wrongArguments = [{ call: { name: 'research', args: { topic: 7 } } }, 'Done.'];
    await withAuditor(boss({ ran: [], replies: wrongArguments }), runtime).invoke(task);
    expect(turns()[2]).toMatchObject({ agent: 'boss', kind: 'tool', toolName: 'research' });
    const isMarked = library === 'ToolNode' || marksFailedCalls;
    expect(turns()[2]?.isError).toBe(isMarked ? true : undefined);
  });
});

describe('an alarm inside a tool, on a turn of the graph that works there', () => {
  const replies = [{ call: researches('x') }, 'Done.'];

  async function haltedInside(library: string) {
    const ran: string[] = [];
    const graph = bosses[library]?.({ ran, replies, checkpointer: new MemorySaver() });
    const app = withAuditor(
      graph as ReturnType<typeof plainGraph>,
      createRuntime({ auditor: blaming('reads') }),
    );
    await expect(app.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);
    const inside = ['model:boss', 'start research x', 'start reads x', 'end reads x'];
    expect(ran).toEqual(inside);
    const saved = (await app.getState(config)).values.messages.map(({ text }: BaseMessage) => text);
    const resumed = await app.invoke(null, config).catch((error: unknown) => error);
    return { saved, resumed, ranLater: ran.slice(inside.length) };
  }

  test('ToolNode leaves the call unanswered, and resuming runs the tool again', async () => {
    const { saved, ranLater } = await haltedInside('ToolNode');
    if (!toolNodePassesHalt) {
      expect(saved.at(-1), 'an older one answers, as createAgent’s does').toMatch(/audit alarm at step 2/);
      expect(ranLater).toEqual(['model:boss']);
      return;
    }
    expect(saved).toEqual(['What is 17 + 23?', '']);
    expect(ranLater[0]).toBe('start research x');
  });

  test('createAgent answers the call with the halt’s text, and resuming does not run the tool again', async () => {
    const { saved, resumed, ranLater } = await haltedInside('createAgent');
    expect(saved.at(-1)).toMatch(/^AuditHalt: audit alarm at step 2 \(reads\): this step is wrong/);
    expect(ranLater).toEqual(['model:boss']);
    expect(resumed).toMatchObject({ messages: { length: 4 } });
  });
});
