import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Auditor, AuditRequest } from '../../../core/auditor.js';
import { AuditHalt, createRuntime, everyTurn } from '../../../core/index.js';
import { approvingAuditor, type ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import {
  type Asked,
  chain,
  contents,
  HINT,
  pausing,
  questions,
  recovering,
  stumbling,
} from '../../support/alarmed-graphs.js';
import { input, pause, wrongSpotter } from '../../support/graphs.js';
import { addTool, scriptedModel, supervisor, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

const says = (id: string, content: string) => async () => ({ messages: [new AIMessage({ id, content })] });
const asked = (auditor: ScriptedAuditor) => auditor.requests.map(({ turns }) => turns.at(-1)?.content);
const told = (auditor: ScriptedAuditor) => auditor.requests.at(-1)?.turns.map(({ content }) => content);
const spotting = (blame: (request: AuditRequest) => number | undefined): Auditor => ({
  schedule: everyTurn(),
  audit: (request) => {
    const step = blame(request);
    return step === undefined
      ? { kind: 'continue' }
      : { kind: 'alarm', step, agent: request.prefix.at(step)?.agent ?? '', reason: 'not good' };
  },
});

function wrongBranch() {
  return new StateGraph(MessagesAnnotation)
    .addNode('first', says('first', 'WRONG'))
    .addNode('second', says('second', 'second'))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile();
}

describe('pause', () => {
  test('an overridden pause stays overridden when a later question of the host is answered by id', async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('x', async () => {
        const answers = `${interrupt('x1?')} ${interrupt('x2?')}`;
        return { messages: [new AIMessage({ id: 'x', content: answers })] };
      })
      .addNode('y', wrongBranch())
      .addNode('join', says('join', 'joined'))
      .addEdge(START, 'x')
      .addEdge(START, 'y')
      .addEdge(['x', 'y'], 'join')
      .addEdge('join', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(graph, pausing().runtime);
    await app.invoke(input, config);
    const [next] = questions(await app.invoke(new Command({ resume: 'a' }), config)) as [Asked];
    const result = await app.invoke(new Command({ resume: { [next.id]: 'b' } }), config);
    expect(questions(result)).toEqual([]);
    expect(contents(result.messages)).toEqual(['go', 'a b', 'WRONG', 'second', 'joined']);
  });

  test.each(['pause', 'halt'] as const)(
    'overlap, %s: a call that was made while its predecessor was blamed is judged before its tool runs',
    async (onAlarm) => {
      const ran: string[] = [];
      const wrong = tool(async () => 'WRONG', { name: 'look', description: 'Looks', schema: z.object({}) });
      const agent = createAgent({
        model: scriptedModel('solo', ran, [
          { call: { name: 'look' } },
          { say: 'WRONG too', call: { name: 'add', args: { a: 1, b: 2 } } },
          'done',
        ]),
        tools: [wrong, addTool(ran)],
        name: 'solo',
        checkpointer: new MemorySaver(),
      });
      const auditor = wrongSpotter(10);
      const app = withAuditor(agent, createRuntime({ auditor, gating: 'overlap', onAlarm }));
      await app.invoke(task, config).catch(() => {});
      await pause(20);
      await app.invoke(null, config).catch(() => {});
      expect(asked(auditor)).toContain('WRONG too');
      expect(ran).not.toContain('tool:add');
    },
  );

  test('what a sibling branch said while the run was being paused is judged once it goes on', async () => {
    const slow = new StateGraph(MessagesAnnotation)
      .addNode('s1', async () => {
        await pause(20);
        return { messages: [new AIMessage({ id: 's1', content: 'WRONG sibling' })] };
      })
      .addNode('s2', says('s2', 'effect'))
      .addEdge(START, 's1')
      .addEdge('s1', 's2')
      .addEdge('s2', END)
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('x', slow)
      .addNode('y', wrongBranch())
      .addEdge(START, 'x')
      .addEdge(START, 'y')
      .addEdge('x', END)
      .addEdge('y', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime, auditor } = pausing();
    const app = withAuditor(graph, runtime);
    await app.invoke(input, config);
    await app.invoke(null, config);
    expect(asked(auditor)).toContain('WRONG sibling');
  });

  test('the last step of a sub-graph, overridden, is not blamed again as the word of the node around it', async () => {
    const State = Annotation.Root({ note: Annotation<string>, end: Annotation<string> });
    const inner = new StateGraph(State)
      .addNode('write', async () => ({ note: 'WRONG' }))
      .addEdge(START, 'write')
      .addEdge('write', END)
      .compile();
    const graph = new StateGraph(State)
      .addNode('team', inner)
      .addNode('after', async () => ({ end: 'end' }))
      .addEdge(START, 'team')
      .addEdge('team', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(graph, createRuntime({ auditor: wrongSpotter() }));
    await expect(app.invoke({ note: '' }, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(await app.invoke(null, config)).toEqual({ note: 'WRONG', end: 'end' });
  });
});

describe('recover', () => {
  test('the hint is added to a conversation that has no reducer, not put in its place', async () => {
    let tries = 0;
    const graph = new StateGraph(Annotation.Root({ messages: Annotation<BaseMessage[]> }))
      .addNode('solve', async ({ messages }) => ({
        messages: [
          ...messages,
          new AIMessage({ id: `s${tries}`, content: tries++ === 0 ? 'WRONG' : 'right' }),
        ],
      }))
      .addNode('after', async ({ messages }) => ({
        messages: [...messages, new AIMessage({ id: 'after', content: 'after' })],
      }))
      .addEdge(START, 'solve')
      .addEdge('solve', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(graph, recovering().runtime);
    const { messages } = await app.invoke(
      { messages: [new HumanMessage({ id: 'q', content: 'go' })] },
      config,
    );
    expect(contents(messages)).toContain('go');
  });

  test('messages that are no messages of LangChain get no hint', async () => {
    let tries = 0;
    const State = Annotation.Root({
      messages: Annotation<string[]>({ reducer: (one, two) => one.concat(two), default: () => [] }),
    });
    const graph = new StateGraph(State)
      .addNode('solve', async () => ({ messages: [tries++ === 0 ? 'WRONG' : 'right'] }))
      .addNode('after', async ({ messages }) => ({ messages: [messages.map((m) => m.toUpperCase()).join()] }))
      .addEdge(START, 'solve')
      .addEdge('solve', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
    const { messages } = await withAuditor(graph, recovering().runtime).invoke({ messages: ['go'] }, config);
    expect(messages).toEqual(['go', 'right', 'GO,RIGHT']);
  });

  test('a fan-out done again: a later node that returns its whole state tells only what is new', async () => {
    let wrongs = 1;
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('plan', says('plan', 'plan'))
      .addNode('worker', async ({ part }: { part: number }) => ({
        messages: [
          new AIMessage({ id: `w${part}`, content: part === 1 && wrongs-- > 0 ? 'WRONG' : `did ${part}` }),
        ],
      }))
      .addNode('join', async ({ messages }) => ({
        messages: [...messages, new AIMessage({ id: 'join', content: 'joined' })],
      }))
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => [0, 1].map((part) => new Send('worker', { part })), ['worker'])
      .addEdge('worker', 'join')
      .addEdge('join', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime, of } = recovering();
    await withAuditor(graph, runtime).invoke(input, config);
    const joins = of('turn').flatMap((record) =>
      'turn' in record && record.turn.agent === 'join' ? [record.turn.content] : [],
    );
    expect(joins).toEqual(['joined']);
  });

  test('a question of the first try that the second does not ask is not in the result', async () => {
    let tries = 0;
    const team = new StateGraph(MessagesAnnotation)
      .addNode('y1', async () => ({ messages: [new AIMessage({ id: `y${tries}`, content: `y ${tries}` })] }))
      .addNode('y2', says('y2', 'end'))
      .addEdge(START, 'y1')
      .addEdge('y1', 'y2')
      .addEdge('y2', END)
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('plan', async () => ({
        messages: [new AIMessage({ id: `p${++tries}`, content: `plan ${tries}` })],
      }))
      .addNode('x', async () => ({
        messages: [new AIMessage({ id: 'x', content: interrupt('x?') as string })],
      }))
      .addNode('y', team)
      .addEdge(START, 'plan')
      .addConditionalEdges('plan', () => (tries === 1 ? ['x', 'y'] : ['y']), ['x', 'y'])
      .addEdge('x', END)
      .addEdge('y', END)
      .compile({ checkpointer: new MemorySaver() });
    const auditor = spotting(({ prefix }) => (prefix.newest.content === 'y 1' ? 1 : undefined));
    const result = await withAuditor(graph, recovering({ auditor }).runtime).invoke(input, config);
    expect(contents(result.messages).at(-1)).toBe('end');
    expect(questions(result)).toEqual([]);
  });

  test('the second alarm may blame a step before the one that was done again', async () => {
    let blamed = 0;
    const auditor = spotting(({ prefix: { newest } }) => {
      if (newest.content === 'solve is WRONG') return newest.index;
      return newest.agent === 'verify' && blamed++ === 0 ? 1 : undefined;
    });
    const graph = chain({
      plan: stumbling('plan', 0),
      solve: stumbling('solve', 1),
      verify: stumbling('verify', 0),
    });
    const { messages } = await withAuditor(graph, recovering({ auditor }).runtime).invoke(input, config);
    expect(contents(messages).at(-1)).toBe('verify is right');
  });

  test('a checkpointer that cannot list halts the run, and does not hide the halt', async () => {
    const checkpointer = new MemorySaver();
    checkpointer.list = () => {
      throw new Error('no listing here');
    };
    const { runtime, told: faults } = recovering();
    const app = withAuditor(chain({ solve: stumbling('solve', 1) }, { checkpointer }), runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(faults).toMatchObject([{ code: 'cannot-recover' }]);
  });

  test('two levels down, the past tells what was done again once, and the agent gets its hint', async () => {
    const given: BaseMessage[][] = [];
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('look', stumbling('look', 0))
      .addNode('think', stumbling('think', 1, given))
      .addNode('act', stumbling('act', 0))
      .addEdge(START, 'look')
      .addEdge('look', 'think')
      .addEdge('think', 'act')
      .addEdge('act', END)
      .compile();
    const team = new StateGraph(MessagesAnnotation)
      .addNode('inner', inner)
      .addEdge(START, 'inner')
      .addEdge('inner', END)
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('team', team)
      .addEdge(START, 'team')
      .addEdge('team', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime, auditor } = recovering();
    await withAuditor(graph, runtime).invoke(input, config);
    expect(told(auditor)?.filter((content) => content === 'look is right')).toHaveLength(1);
    expect(contents(given.at(-1) ?? []).filter((content) => HINT.test(content))).toHaveLength(1);
  });
});

test('a run whose own node aborts it is closed in the log', async () => {
  const controller = new AbortController();
  const { runtime, of } = recovering();
  const graph = chain({
    plan: stumbling('plan', 0),
    gives_up: async () => {
      controller.abort();
      await pause(5);
      return { messages: [] };
    },
  });
  await expect(
    withAuditor(graph, runtime).invoke(input, { ...config, signal: controller.signal }),
  ).rejects.toThrow('abort');
  await pause(20);
  expect(of('close')).toMatchObject([{ outcome: { status: 'aborted' } }]);
});

describe('a new process', () => {
  const resumed = async (graph: unknown) => {
    const auditor = approvingAuditor();
    const app = withAuditor(graph as ReturnType<typeof chain>, createRuntime({ auditor }));
    await app.invoke(null as never, config);
    return auditor;
  };

  test('knows the handoffs', async () => {
    const handoffs = (auditor: ScriptedAuditor) =>
      auditor.requests.at(-1)?.turns.flatMap(({ handoffTo }) => handoffTo ?? []);
    const whole = approvingAuditor();
    const uninterrupted = supervisor({ ran: [], checkpointer: new MemorySaver() });
    await withAuditor(uninterrupted, createRuntime({ auditor: whole })).invoke(task, config);
    const graph = supervisor({ ran: [], checkpointer: new MemorySaver() });
    const blames = spotting(({ prefix: { newest } }) =>
      newest.content === 'writer found 40.' ? newest.index : undefined,
    );
    await expect(
      withAuditor(graph, createRuntime({ auditor: blames })).invoke(task, config),
    ).rejects.toBeInstanceOf(AuditHalt);
    expect(handoffs(await resumed(graph))).toEqual(handoffs(whole));
  });

  test('knows a node that only handed over', async () => {
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('route', async () => new Command({ goto: 'a' }), { ends: ['a'] })
      .addNode('a', says('a', 'WRONG'))
      .addNode('b', says('b', 'b'))
      .addEdge(START, 'route')
      .addEdge('a', 'b')
      .addEdge('b', END)
      .compile({ checkpointer: new MemorySaver() });
    await expect(
      withAuditor(graph, createRuntime({ auditor: wrongSpotter() })).invoke(input, config),
    ).rejects.toBeInstanceOf(AuditHalt);
    const auditor = await resumed(graph);
    expect(auditor.requests.at(-1)?.turns.map(({ agent }) => agent)).toEqual(['user', 'route', 'a', 'b']);
  });

  test('does not know what a fork left behind', async () => {
    let tries = 0;
    const graph = chain({
      a: async () => ({ messages: [new AIMessage({ id: `a${tries}`, content: `a${tries++}` })] }),
      b: async () => says(`b${tries}`, `b${tries}`)(),
      c: says('c', 'c'),
    });
    await graph.invoke(input, config);
    const history = await Array.fromAsync(graph.getStateHistory(config));
    const before = history.find(({ next }) => next.join() === 'a');
    const blames = spotting(({ prefix: { newest } }) => (newest.content === 'b2' ? newest.index : undefined));
    const forked = withAuditor(graph, createRuntime({ auditor: blames }));
    await expect(forked.invoke(null as never, before?.config)).rejects.toBeInstanceOf(AuditHalt);
    expect(told(await resumed(graph))).toEqual(['go', 'a1', 'b2', 'c']);
  });

  test('does not know what a recovery undid, and knows where the hint was given', async () => {
    const graph = chain({
      solve: stumbling('solve', 1),
      verify: stumbling('verify', 1),
      after: stumbling('after', 0),
    });
    const app = withAuditor(graph, recovering({ maxRecoveries: 1 }).runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(told(await resumed(graph))).toEqual([
      'go',
      expect.stringMatching(HINT),
      'solve is right',
      'verify is WRONG',
      'after is right',
    ]);
  });
});
