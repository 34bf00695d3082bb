import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  getCurrentTaskInput,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Turn } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, nameOf, offences } from '../../support/alarms.js';
import { input, node, noting, watching } from '../../support/graphs.js';
import { addTool, scriptedModel, task, teams } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** `plan: over to you -> solve` */
function withTarget(turn: Turn): string {
  return turn.handoffTo === undefined ? nameOf(turn) : `${nameOf(turn)} -> ${turn.handoffTo}`;
}

const State = Annotation.Root({
  ...MessagesAnnotation.spec,
  draft: Annotation<string>,
  part: Annotation<number>,
});

/** `plan` returns what it is given, and may go to either of two. */
function planning(ran: string[], output: () => unknown) {
  return new StateGraph(State)
    .addNode(
      'plan',
      async () => {
        ran.push('start plan');
        return output() as Command;
      },
      { ends: ['solve', 'check', END] },
    )
    .addNode('solve', node(noting(ran, 'solve')))
    .addNode('check', node(noting(ran, 'check')))
    .addEdge(START, 'plan')
    .addEdge('solve', END)
    .addEdge('check', END)
    .compile();
}

describe('a command tells where it goes', () => {
  const says = () => new AIMessage('over to you');
  const solve = 'solve: solve speaks';
  const check = 'check: check speaks';

  test.each<[string, () => unknown, string[]]>([
    ['a destination', () => new Command({ goto: 'solve' }), ['plan: -> solve', solve]],
    ['several', () => new Command({ goto: ['solve', 'check'] }), ['plan: -> solve, check', check, solve]],
    ['the end', () => new Command({ goto: END }), []],
    [
      'a destination with words',
      () => new Command({ goto: 'solve', update: { messages: [says()] } }),
      ['plan: over to you -> solve', solve],
    ],
    [
      'a destination with one message, not in a list',
      () => new Command({ goto: 'solve', update: { messages: says() } }),
      ['plan: over to you -> solve', solve],
    ],
    [
      'a destination with state',
      () => new Command({ goto: 'solve', update: { draft: 'add' } }),
      ['plan: {"draft":"add"} -> solve', solve],
    ],
    [
      'a destination with words and state',
      () => new Command({ goto: 'solve', update: { messages: [says()], draft: 'add' } }),
      ['plan: over to you', 'plan: {"draft":"add"} -> solve', solve],
    ],
    [
      'pairs in which a key comes twice',
      () =>
        new Command({
          goto: 'solve',
          update: [
            ['messages', says()],
            ['messages', new AIMessage('really')],
            ['draft', 'add'],
          ],
        }),
      ['plan: over to you', 'plan: really', 'plan: {"draft":"add"} -> solve', solve],
    ],
    [
      'no destination, words alone',
      () => new Command({ update: { messages: [says()] } }),
      ['plan: over to you'],
    ],
    [
      'somebody to send to',
      () => new Command({ goto: new Send('solve', { part: 1 }) }),
      ['plan: -> solve', solve],
    ],
    [
      'several commands',
      () => [new Command({ goto: 'solve', update: { messages: [says()] } }), new Command({ goto: 'check' })],
      ['plan: over to you -> solve', 'plan: -> check', check, solve],
    ],
  ])('%s', async (_what, output, expected) => {
    const { runtime, turns } = watching();
    await withAuditor(planning([], output), runtime).invoke(input);
    const told = turns().slice(1).map(withTarget);
    // Where two start side by side, they are told in the order of their ends.
    expect(told.toSorted()).toEqual(expected.toSorted());
    const runs = await alarmAtEveryTurn((ran, hook) => hook(planning(ran, output)).invoke(input));
    const beside = (event: string, { agent }: Turn) => agent !== 'plan' && !event.endsWith(` ${agent}`);
    expect(offences(runs, beside)).toEqual([]);
  });
});

test('a conditional edge belongs to the node that it leaves: it has chosen before the verdict, the chosen node waits', async () => {
  const graph = (ran: string[]) =>
    new StateGraph(MessagesAnnotation)
      .addNode('plan', node(noting(ran, 'plan')))
      .addNode('solve', node(noting(ran, 'solve')))
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => {
        ran.push('chosen');
        return 'solve' as const;
      })
      .addEdge('solve', END)
      .compile();
  const ran: string[] = [];
  const { runtime, turns } = watching();
  await withAuditor(graph(ran), runtime).invoke(input);
  expect(turns().slice(1).map(withTarget)).toEqual(['plan: plan speaks', 'solve: solve speaks']);
  const [alarmOnPlan] = await alarmAtEveryTurn((events, hook) => hook(graph(events)).invoke(input));
  expect(alarmOnPlan).toMatchObject({ meanwhile: [], after: [] });
});

/** Agents that hand over by tools of their own, as people write them. */
function peers(ran: string[]) {
  const handover = tool(
    async (_: unknown, { toolCall }) => {
      ran.push('start transfer');
      const { messages } = getCurrentTaskInput<{ messages: BaseMessage[] }>();
      const done = new ToolMessage({ content: 'over to bob', tool_call_id: toolCall.id, name: 'transfer' });
      return new Command({ graph: Command.PARENT, goto: 'bob', update: { messages: [...messages, done] } });
    },
    { name: 'transfer', description: 'Hands over to bob', schema: z.object({}) },
  );
  const alice = createAgent({
    model: scriptedModel('alice', ran, [{ say: 'Bob knows.', call: { name: 'transfer' } }]),
    tools: [handover],
    name: 'alice',
  });
  const bob = createAgent({
    model: scriptedModel('bob', ran, [{ call: { name: 'add', args: { a: 17, b: 23 } } }, 'It is 40.']),
    tools: [addTool(ran)],
    name: 'bob',
  });
  return new StateGraph(MessagesAnnotation)
    .addNode('alice', alice.graph, { ends: ['bob'] })
    .addNode('bob', bob.graph)
    .addEdge(START, 'alice')
    .addEdge('bob', END)
    .compile();
}

test('agents that hand over to one another by ParentCommand: told once, with its target, and judged before the other begins', async () => {
  const { runtime, turns } = watching();
  const result = await withAuditor(peers([]), runtime).invoke(task);
  expect(result.messages.at(-1)?.text).toBe('It is 40.');
  expect(turns().slice(1).map(withTarget)).toEqual([
    'alice: Bob knows. [transfer]',
    'alice: over to bob -> bob',
    'bob: [add]',
    'bob: 40',
    'bob: It is 40.',
  ]);
  expect(offences(await alarmAtEveryTurn((ran, hook) => hook(peers(ran)).invoke(task)))).toEqual([]);
});

test.each(Object.keys(teams) as (keyof typeof teams)[])(
  '%s: no turn is let through, tools and handoffs neither',
  async (team) => {
    const runs = await alarmAtEveryTurn((ran, hook) =>
      // The teams differ in what their state holds, not in how they are called.
      hook(teams[team]({ ran }) as unknown as ReturnType<typeof teams.plainGraph>).invoke(task),
    );
    expect(runs.length).toBeGreaterThan(2);
    expect(offences(runs)).toEqual([]);
  },
);

test('the target is told by its own name, not by what its tool is called', async () => {
  const expert = createReactAgent({
    llm: scriptedModel('Sums Expert', [], ['It is 40.']),
    tools: [],
    name: 'Sums Expert',
  });
  const team = createSupervisor({
    agents: [expert],
    llm: scriptedModel('boss', [], [{ call: { name: 'transfer_to_sums_expert' } }, 'Done.']),
    supervisorName: 'boss',
  }).compile();
  const { runtime, turns } = watching();
  await withAuditor(team, runtime).invoke(task);
  const [, , handoff, answer] = turns();
  expect(handoff).toMatchObject({ agent: 'boss', handoffTo: 'Sums Expert' });
  expect(answer).toMatchObject({ agent: 'Sums Expert', content: 'It is 40.' });
});

test.each(['full_history', 'last_message'] as const)(
  'a supervisor with outputMode %s tells the same',
  async (outputMode) => {
    const team = (ran: string[]) => {
      const worker = createReactAgent({
        llm: scriptedModel('worker', ran, [{ call: { name: 'add', args: { a: 17, b: 23 } } }, 'It is 40.']),
        tools: [addTool(ran)],
        name: 'worker',
      });
      return createSupervisor({
        agents: [worker],
        llm: scriptedModel('boss', ran, [{ call: { name: 'transfer_to_worker' } }, 'Done.']),
        supervisorName: 'boss',
        outputMode,
      }).compile();
    };
    const { runtime, turns } = watching();
    await withAuditor(team([]), runtime).invoke(task);
    expect(turns().slice(1).map(withTarget)).toEqual([
      'boss: [transfer_to_worker]',
      'boss: Successfully transferred to worker -> worker',
      'worker: [add]',
      'worker: 40',
      'worker: It is 40.',
      'worker: Transferring back to boss [transfer_back_to_boss]',
      'worker: Successfully transferred back to boss',
      'boss: Done.',
    ]);
  },
);
