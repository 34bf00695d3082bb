import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, entrypoint, MessagesAnnotation, START, StateGraph, task as step } from '@langchain/langgraph';
import {
  type AgentMiddleware,
  createAgent,
  createMiddleware,
  modelFallbackMiddleware,
  modelRetryMiddleware,
  toolErrorMiddleware,
  toolRetryMiddleware,
} from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { alarmAtEveryTurn, nameOf, offences } from '../../support/alarms.js';
import { hasToolErrorMiddleware } from '../../support/framework-versions.js';
import { inARow, node, noting } from '../../support/graphs.js';
import { scriptedModel, soloAgent, task } from '../../support/langgraph-teams.js';

// What stands between a halt and the code behind it may try again, make do, or go on. Nothing of it may run anything more.

vi.spyOn(console, 'error').mockImplementation(() => {});

const quickly = { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false };
const retries = { maxRetries: 2, initialDelayMs: 1, jitter: false };

/** A node that asks an agent and fails with an error of its own when the agent does. */
function asksAndWraps(ran: string[]) {
  return node(async () => {
    await soloAgent({ ran })
      .invoke(task)
      .catch((cause: unknown) => {
        throw new Error('the expert failed', { cause });
      });
    return noting(ran, 'own code')();
  });
}

describe('a node that asks an agent', () => {
  const healthy = ['solo: I add. [add]', 'solo: 40', 'solo: The sum is 40.', 'asks: own code speaks'];

  function asking(ran: string[], asks: ReturnType<typeof node>, options = {}, defaults = {}) {
    return new StateGraph(MessagesAnnotation)
      .setNodeDefaults(defaults)
      .addNode('asks', asks, options)
      .addNode('after', node(noting(ran, 'after')))
      .addEdge(START, 'asks')
      .addEdge('asks', 'after')
      .addEdge('after', END)
      .compile();
  }

  const handler = (ran: string[]) => async () => {
    ran.push('start handler');
    return { messages: [new AIMessage('handled')] };
  };

  test.each<[string, (ran: string[]) => ReturnType<typeof asking>]>([
    ['under a retry policy', (ran) => asking(ran, asksAndWraps(ran), { retryPolicy: quickly })],
    ['with an error handler', (ran) => asking(ran, asksAndWraps(ran), { errorHandler: handler(ran) })],
    [
      'with both',
      (ran) => asking(ran, asksAndWraps(ran), { retryPolicy: quickly, errorHandler: handler(ran) }),
    ],
    [
      'with both, letting every error through',
      (ran) => {
        const asks = node(async () => {
          await soloAgent({ ran }).invoke(task);
          return noting(ran, 'own code')();
        });
        return asking(ran, asks, { retryPolicy: quickly, errorHandler: handler(ran) });
      },
    ],
    [
      'under node defaults',
      (ran) => asking(ran, asksAndWraps(ran), {}, { retryPolicy: quickly, errorHandler: handler(ran) }),
    ],
    [
      'and swallows whatever happens',
      (ran) =>
        asking(
          ran,
          node(async () => {
            await soloAgent({ ran })
              .invoke(task)
              .catch(() => undefined);
            ran.push('end own code');
            return 'own code speaks';
          }),
        ),
    ],
    [
      'and asks again when it fails',
      (ran) =>
        asking(
          ran,
          node(async () => {
            const ask = () => soloAgent({ ran }).invoke(task);
            await ask()
              .catch(ask)
              .catch(() => undefined);
            ran.push('end own code');
            return 'own code speaks';
          }),
        ),
    ],
  ])('%s', async (_how, graph) => {
    const runs = await alarmAtEveryTurn((ran, hook) => hook(graph(ran)).invoke(task));
    expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([...healthy, 'after: after speaks']);
    expect(offences(runs)).toEqual([]);
  });
});

/** They came later than the oldest version that is supported. */
function errorMiddlewares(): [string, () => unknown[]][] {
  if (!hasToolErrorMiddleware) return [];
  const answers = () => toolErrorMiddleware({ onError: () => 'it failed' });
  const retriesFirst = () => toolRetryMiddleware({ ...retries, onFailure: 'error' });
  return [
    ['toolErrorMiddleware', () => [answers()]],
    ['toolErrorMiddleware around toolRetryMiddleware', () => [answers(), retriesFirst()]],
  ];
}

/** What an agent may have around its tools and its model. Published types do not hold under exactOptionalPropertyTypes. */
const middlewares: [string, () => unknown[]][] = [
  ['none', () => []],
  ['toolRetryMiddleware', () => [toolRetryMiddleware(retries)]],
  [
    'toolRetryMiddleware that throws in the end',
    () => [toolRetryMiddleware({ ...retries, onFailure: 'error' })],
  ],
  ...errorMiddlewares(),
  ['modelRetryMiddleware', () => [modelRetryMiddleware(retries)]],
  ['modelFallbackMiddleware', () => [modelFallbackMiddleware(scriptedModel('spare', [], ['I take over']))]],
  [
    'middleware that calls again',
    () => [
      createMiddleware({
        name: 'again',
        wrapToolCall: async (request, handler) => {
          try {
            return await handler(request);
          } catch {
            return handler(request);
          }
        },
      }),
    ],
  ],
];

describe.each(middlewares)('%s', (_name, middleware) => {
  test('around a tool that asks an agent', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const ask = tool(
        async () => {
          ran.push('start ask');
          return (await soloAgent({ ran }).invoke(task)).messages.at(-1)?.text ?? '';
        },
        { name: 'ask', description: 'Asks an expert', schema: z.object({}) },
      );
      const boss = createAgent({
        model: scriptedModel('boss', ran, [{ call: { name: 'ask' } }, 'The expert said 40.']),
        tools: [ask],
        middleware: middleware() as AgentMiddleware[],
        name: 'boss',
      });
      return hook(boss).invoke(task);
    });
    expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([
      'boss: [ask]',
      'solo: I add. [add]',
      'solo: 40',
      'solo: The sum is 40.',
      'boss: The sum is 40.',
      'boss: The expert said 40.',
    ]);
    expect(offences(runs)).toEqual([]);
  });

  test('around a model call that asks an agent first', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const guard = createMiddleware({
        name: 'guard',
        wrapModelCall: async (request, handler) => {
          await soloAgent({ ran }).invoke(task);
          return handler(request);
        },
      });
      const boss = createAgent({
        model: scriptedModel('boss', ran, ['Done.']),
        tools: [],
        middleware: [...middleware(), guard] as AgentMiddleware[],
        name: 'boss',
      });
      return hook(boss).invoke(task);
    });
    expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([
      'solo: I add. [add]',
      'solo: 40',
      'solo: The sum is 40.',
      'boss: Done.',
    ]);
    expect(offences(runs)).toEqual([]);
  });
});

test('a task of the functional API that is retried, inside another that wraps its error', async () => {
  const runs = await alarmAtEveryTurn((ran, hook) => {
    const inner = step({ name: 'inner', retry: quickly }, async (_: string) => noting(ran, 'inner')());
    const next = step({ name: 'next', retry: quickly }, async (_: string) => noting(ran, 'next')());
    const outer = step({ name: 'outer', retry: quickly }, async (text: string) => {
      try {
        return await next(await inner(text));
      } catch (cause) {
        throw new Error('the inner one failed', { cause });
      }
    });
    const flow = entrypoint('flow', async (text: string) => {
      const said = await outer(text);
      ran.push('start own code');
      return `flow: ${said}`;
    });
    return hook(flow).invoke('go');
  });
  expect(runs.map(({ blamed }) => blamed.agent)).toEqual(['inner', 'next', 'outer', 'flow']);
  expect(offences(runs)).toEqual([]);
});

test('what fails by itself is still tried again, and every attempt is judged', async () => {
  const told: string[] = [];
  const runs = await alarmAtEveryTurn(async (ran, hook) => {
    let attempts = 0;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode(
        'flaky',
        node(async () => {
          await inARow({ solo: noting(ran, 'solo') }).invoke(task);
          if (attempts++ < 2) throw new Error('flaky');
          return 'at last';
        }),
        { retryPolicy: quickly },
      )
      .addEdge(START, 'flaky')
      .addEdge('flaky', END)
      .compile();
    const result = await hook(graph).invoke(task);
    told.push(result.messages.at(-1)?.text ?? '');
  });
  expect(told[0]).toBe('at last');
  expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([
    ...Array(3).fill('solo: solo speaks'),
    'flaky: at last',
  ]);
  expect(offences(runs)).toEqual([]);
});
