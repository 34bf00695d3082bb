import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import {
  Annotation,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import {
  chain,
  contents,
  HINT,
  questions,
  recovering,
  says,
  spotting,
  stumbling,
  told,
} from '../../support/alarmed-graphs.js';
import { subGraphGoesBack } from '../../support/framework-versions.js';
import { input } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

describe('recovering from what is out of the ordinary', () => {
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

  test('a question that the host asked in the first try stays in the result: what has been streamed cannot be taken back', async () => {
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
    const app = withAuditor(graph, recovering({ auditor }).runtime);
    const result = await app.invoke(input, config);
    expect(contents(result.messages).at(-1)).toBe('end');
    expect(questions(result)).toMatchObject([{ value: 'x?' }]);
    expect((await app.getState(config)).next, 'but the thread does not wait for it').toEqual([]);
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
    expect(contents(given.at(-1) ?? []).filter((content) => HINT.test(content))).toHaveLength(
      subGraphGoesBack ? 1 : 0,
    );
  });
});
