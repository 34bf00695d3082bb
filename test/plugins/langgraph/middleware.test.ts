import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { type AgentMiddleware, createAgent, createMiddleware } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, nameOf, offences } from '../../support/alarms.js';
import { inARow, input, noting, watching } from '../../support/graphs.js';
import { addTool, scriptedModel, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const adds = { say: 'I add.', call: { name: 'add', args: { a: 17, b: 23 } } };

function agentWith(
  middleware: unknown[],
  ran: string[] = [],
  replies: Parameters<typeof scriptedModel>[2] = [adds, 'Done.'],
) {
  return createAgent({
    model: scriptedModel('solo', ran, replies),
    tools: [addTool(ran)],
    name: 'solo',
    middleware: middleware as AgentMiddleware[],
  });
}

/** Middleware at every place that there is, noting when it is called. */
function everywhere(ran: string[], work: (name: string) => Promise<unknown> = async () => undefined) {
  const notes = (name: string) => async () => {
    ran.push(name);
    await work(name);
    return undefined;
  };
  return createMiddleware({
    name: 'everywhere',
    beforeAgent: notes('beforeAgent'),
    beforeModel: notes('beforeModel'),
    afterModel: notes('afterModel'),
    afterAgent: notes('afterAgent'),
    wrapModelCall: async (request, handler) => {
      await notes('wrapModelCall')();
      return handler(request);
    },
    wrapToolCall: async (request, handler) => {
      await notes('wrapToolCall')();
      return handler(request);
    },
  });
}

describe('after an alarm', () => {
  test('no middleware is called any more', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => hook(agentWith([everywhere(ran)], ran)).invoke(task));
    expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([
      'solo: I add. [add]',
      'solo: 40',
      'solo: Done.',
    ]);
    expect(offences(runs)).toEqual([]);
  });

  test('nor where every middleware lets a graph work', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const work = (name: string) =>
        inARow({ [`${name} 1`]: noting(ran, `${name} 1`), [`${name} 2`]: noting(ran, `${name} 2`) }).invoke(
          input,
        );
      return hook(agentWith([everywhere(ran, work)], ran)).invoke(task);
    });
    const rounds = ['beforeModel', 'wrapModelCall', 'afterModel'];
    const places = ['beforeAgent', ...rounds, 'wrapToolCall', ...rounds, 'afterAgent'];
    expect(runs.map(({ blamed }) => blamed.agent).filter((agent) => agent !== 'solo')).toEqual(
      places.flatMap((place) => [`${place} 1`, `${place} 2`]),
    );
    expect(offences(runs)).toEqual([]);
  });

  test('what middleware says by itself is judged before the model is asked', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const reminds = createMiddleware({
        name: 'reminds',
        beforeModel: async () => {
          ran.push('beforeModel');
          return { messages: [new HumanMessage('Be brief.')] };
        },
      });
      return hook(agentWith([reminds], ran, ['Done.'])).invoke(task);
    });
    expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual(['solo: Be brief.', 'solo: Done.']);
    expect(offences(runs)).toEqual([]);
  });
});

describe('what middleware changes is what is told', () => {
  test.each<[string, () => unknown, string[]]>([
    [
      'a reply that it rewrites',
      () =>
        createMiddleware({
          name: 'rewrites',
          wrapModelCall: async (request, handler) => {
            const reply = await handler(request);
            return AIMessage.isInstance(reply) && reply.text === 'Done.'
              ? new AIMessage('Done and dusted.')
              : reply;
          },
        }),
      ['solo: I add. [add]', 'solo: 40', 'solo: Done and dusted.'],
    ],
    [
      'a tool call that it answers itself',
      () =>
        createMiddleware({
          name: 'cached',
          wrapToolCall: async ({ toolCall }) =>
            new ToolMessage({ content: 'cached', tool_call_id: toolCall.id as string }),
        }),
      ['solo: I add. [add]', 'solo: cached', 'solo: Done.'],
    ],
    [
      'state of its own',
      () =>
        createMiddleware({
          name: 'counts',
          stateSchema: z.object({ calls: z.number().default(0) }),
          beforeModel: async ({ calls }) => ({ calls: calls + 1 }),
        }),
      ['solo: {"calls":1}', 'solo: I add. [add]', 'solo: 40', 'solo: {"calls":2}', 'solo: Done.'],
    ],
    [
      'a jump to the end before the model, with the last word',
      () =>
        createMiddleware({
          name: 'refuses',
          beforeModel: {
            canJumpTo: ['end'],
            hook: async () => ({ jumpTo: 'end', messages: [new AIMessage('I refuse.')] }),
          },
        }),
      ['solo: I refuse.'],
    ],
    [
      'a jump to the end over a tool call, which stays unanswered',
      () =>
        createMiddleware({
          name: 'stops',
          afterModel: { canJumpTo: ['end'], hook: async () => ({ jumpTo: 'end' }) },
        }),
      ['solo: I add. [add]'],
    ],
    [
      'a jump back to the model',
      () =>
        createMiddleware({
          name: 'again',
          afterModel: {
            canJumpTo: ['model'],
            hook: async ({ messages }) =>
              messages.at(-1)?.text === 'Done.'
                ? { jumpTo: 'model', messages: [new HumanMessage('Are you sure?')] }
                : undefined,
          },
        }),
      ['solo: I add. [add]', 'solo: 40', 'solo: Done.', 'solo: Are you sure?', 'solo: Yes.'],
    ],
  ])('%s', async (_what, middleware, expected) => {
    const { runtime, turns } = watching();
    await withAuditor(agentWith([middleware()], [], [adds, 'Done.', 'Yes.']), runtime).invoke(task);
    expect(turns().slice(1).map(nameOf)).toEqual(expected);
    const runs = await alarmAtEveryTurn((ran, hook) =>
      hook(agentWith([middleware()], ran, [adds, 'Done.', 'Yes.'])).invoke(task),
    );
    expect(offences(runs)).toEqual([]);
  });
});

test('a jump to the end ends one agent, a halt the whole run', async () => {
  const stops = createMiddleware({
    name: 'stops',
    afterModel: { canJumpTo: ['end'], hook: async () => ({ jumpTo: 'end' }) },
  });
  const runs = await alarmAtEveryTurn((ran, hook) => {
    const asks = inARow({
      asks: async () => (await agentWith([stops], ran).invoke(task)).messages.at(-1)?.text ?? '',
      after: noting(ran, 'after'),
    });
    return hook(asks).invoke(input);
  });
  expect(runs.map(({ blamed }) => nameOf(blamed))).toEqual([
    'solo: I add. [add]',
    'asks: I add.',
    'after: after speaks',
  ]);
  expect(offences(runs)).toEqual([]);
});
