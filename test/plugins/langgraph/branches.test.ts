import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  END,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, pause, saying, watching, wrongSpotter } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** The final order of the turns, as a halted run would carry it. */
async function finalOrder(
  run: (runtime: ReturnType<typeof createRuntime>) => Promise<unknown>,
): Promise<string[]> {
  const auditor = new ScriptedAuditor(
    [],
    ({ prefix }: { prefix: { newest: { index: number; agent: string; content: string } } }) => {
      const { index, agent, content } = prefix.newest;
      return content === 'end'
        ? { kind: 'alarm', step: index, agent, reason: 'to see the order' }
        : { kind: 'continue' };
    },
  );
  const halt = await run(createRuntime({ auditor })).catch((error: unknown) => error);
  if (!(halt instanceof AuditHalt)) throw new Error(`expected a halt, got ${String(halt)}`);
  return halt.turns.map(({ content }) => content);
}

const jitter = () => pause(Math.random() * 15);

test('a fan-out: each worker is told once, in the graph’s order, whichever is quicker', async () => {
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    part: Annotation<number>,
  });
  const graph = () =>
    new StateGraph(State)
      .addNode('planner', async () => ({ messages: [new AIMessage('plan')] }))
      .addNode('worker', async ({ part }: { part: number }) => {
        await jitter();
        return { messages: [new AIMessage(`part ${part}`)] };
      })
      .addNode('join', async () => ({ messages: [new AIMessage('end')] }))
      .addEdge(START, 'planner')
      .addConditionalEdges(
        'planner',
        () => Array.from({ length: 11 }, (_, part) => new Send('worker', { part })),
        ['worker'],
      )
      .addEdge('worker', 'join')
      .addEdge('join', END)
      .compile();
  const expected = ['go', 'plan', ...Array.from({ length: 11 }, (_, part) => `part ${part}`), 'end'];
  for (let run = 0; run < 5; run++) {
    expect(await finalOrder((runtime) => withAuditor(graph(), runtime).invoke(input))).toEqual(expected);
  }
});

test('graphs called in turn by a pool inside one node: none is lost', async () => {
  const { runtime, told } = watching();
  const jobs = ['job 0', 'job 1', 'job 2', 'job 3', 'job 4'];
  const work = async () => {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      const said = job;
      await inARow({ worker: () => saying(said, jitter()) }).invoke(input);
    }
  };
  const outer = inARow({ outer: () => saying('outer done', Promise.all([work(), work()])) });
  await withAuditor(outer, runtime).invoke(input);
  expect(told().toSorted()).toEqual(
    [
      'user: go',
      'worker: job 0',
      'worker: job 1',
      'worker: job 2',
      'worker: job 3',
      'worker: job 4',
      'outer: outer done',
    ].toSorted(),
  );
});

test('parallel tools that each call two graphs: every turn, one order', async () => {
  const graph = () => {
    const research = tool(
      async ({ topic }) => {
        await jitter();
        for (const part of [1, 2])
          await inARow({ [`inner-${topic}`]: () => saying(`${topic}${part}`, jitter()) }).invoke(input);
        return `result ${topic}`;
      },
      { name: 'research', description: 'Researches', schema: z.object({ topic: z.string() }) },
    );
    const calls = ['x', 'y', 'z'].map((topic) => ({
      id: `call-${topic}`,
      name: 'research',
      args: { topic },
    }));
    return new StateGraph(MessagesAnnotation)
      .addNode('boss', async () => ({
        messages: [new AIMessage({ content: 'research', tool_calls: calls })],
      }))
      .addNode('tools', new ToolNode([research]))
      .addNode('last', async () => ({ messages: [new AIMessage('end')] }))
      .addEdge(START, 'boss')
      .addEdge('boss', 'tools')
      .addEdge('tools', 'last')
      .addEdge('last', END)
      .compile();
  };
  for (let run = 0; run < 5; run++) {
    expect(await finalOrder((runtime) => withAuditor(graph(), runtime).invoke(input))).toEqual([
      'go',
      'research',
      'x1',
      'x2',
      'y1',
      'y2',
      'z1',
      'z2',
      'result x',
      'result y',
      'result z',
      'end',
    ]);
  }
});

test('a retried node is judged again: its first attempt’s places are taken, not its second’s', async () => {
  const attempts: string[] = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode(
      'outer',
      async () => {
        attempts.push('attempt');
        await inARow({ solo: () => (attempts.length === 1 ? 'fine answer' : 'WRONG answer') }).invoke(input);
        if (attempts.length === 1) throw new Error('flaky');
        return { messages: [new AIMessage('done')] };
      },
      { retryPolicy: { maxAttempts: 2, initialInterval: 1 } },
    )
    .addEdge(START, 'outer')
    .addEdge('outer', END)
    .compile();
  const error = await withAuditor(graph, createRuntime({ auditor: wrongSpotter() }))
    .invoke(input)
    .catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AuditHalt);
  expect(attempts).toHaveLength(2);
});

describe('the code after an inner graph waits for the verdict on it', () => {
  const sends = (sent: string[]) => () =>
    inARow({
      outer: async () => {
        await inARow({ solo: () => 'a WRONG answer' }).invoke(input);
        sent.push('email');
        return 'sent';
      },
    });

  test.each([0, 30])('audits of %i ms', async (delay) => {
    const sent: string[] = [];
    const graph = withAuditor(sends(sent)(), createRuntime({ auditor: wrongSpotter(delay) }));
    await expect(graph.invoke(input)).rejects.toBeInstanceOf(AuditHalt);
    expect(sent).toEqual([]);
  });

  test('and goes on after it when a human overrides', async () => {
    const sent: string[] = [];
    const inner: string[] = [];
    const graph = withAuditor(
      inARow(
        {
          outer: async () => {
            await inARow({ solo: () => saying('a WRONG answer', inner.push('solo')) }).invoke(input);
            sent.push('email');
            return 'sent';
          },
        },
        { checkpointer: new MemorySaver() },
      ),
      createRuntime({ auditor: wrongSpotter() }),
    );
    const config = { configurable: { thread_id: '1' } };
    await expect(graph.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    const result = await graph.invoke(null, config).catch((error: unknown) => error);
    expect([sent, inner, result instanceof Error]).toEqual([['email'], ['solo'], false]);
  });
});

test('a declared sub-graph whose last turn is wrong: nothing after it runs, and resuming goes on behind it', async () => {
  const ran: string[] = [];
  const sub = inARow({
    first: () => saying('fine', ran.push('first')),
    second: () => saying('WRONG', ran.push('second')),
  });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('sub', sub)
    .addNode('after', async () => ({ messages: [new AIMessage(await saying('after', ran.push('after')))] }))
    .addEdge(START, 'sub')
    .addEdge('sub', 'after')
    .addEdge('after', END)
    .compile({ checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: '1' } };
  const app = withAuditor(graph, createRuntime({ auditor: wrongSpotter() }));
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  expect(ran).toEqual(['first', 'second']);
  const result = await app.invoke(null, config);
  expect(ran).toEqual(['first', 'second', 'after']);
  expect(result.messages.map(({ content }) => content)).toEqual(['go', 'fine', 'WRONG', 'after']);
});

test('the code behind an inner graph that fails waits for the verdict on what it said before', async () => {
  const ran: string[] = [];
  const inner = new StateGraph(MessagesAnnotation)
    .addNode('says', async () => ({ messages: [new AIMessage('WRONG')] }))
    .addNode('breaks', async () => {
      await pause(10);
      throw new Error('broken');
    })
    .addEdge(START, 'says')
    .addEdge(START, 'breaks')
    .compile();
  const outer = inARow({
    outer: async () => {
      await inner.invoke(input).catch((error: unknown) => {
        if (error instanceof AuditHalt) throw error;
        ran.push('fallback');
      });
      return 'done';
    },
  });
  const app = withAuditor(outer, createRuntime({ auditor: wrongSpotter(40) }));
  await expect(app.invoke(input)).rejects.toBeInstanceOf(AuditHalt);
  expect(ran).toEqual([]);
});
