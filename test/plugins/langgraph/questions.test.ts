import { AIMessage } from '@langchain/core/messages';
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { type Asked, contents, pausing, questions } from '../../support/alarmed-graphs.js';
import { input } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

describe('our question and the host’s', () => {
  const asks = (id: string, ran: string[]) => async () => {
    const answer = interrupt(`${id}?`);
    ran.push(id);
    return { messages: [new AIMessage({ id, content: `${id}: ${answer}` })] };
  };
  const says = (id: string, content: string, ran: string[]) => async () => {
    ran.push(id);
    return { messages: [new AIMessage({ id, content })] };
  };

  test('a plain answer to ours is not taken for the answer to a later question of the host', async () => {
    const ran: string[] = [];
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('solve', says('solve', 'WRONG', ran))
      .addNode('ask', asks('ask', ran))
      .addEdge(START, 'solve')
      .addEdge('solve', 'ask')
      .addEdge('ask', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(graph, pausing().runtime);
    await app.invoke(input, config);
    const asked = await app.invoke(new Command({ resume: 'override' }), config);
    expect(questions(asked)).toMatchObject([{ value: 'ask?' }]);
    const result = await app.invoke(new Command({ resume: 'yes' }), config);
    expect(contents(result.messages)).toEqual(['go', 'WRONG', 'ask: yes']);
  });

  /** Branch x asks the host's human; branch y goes wrong, and has a step left. */
  function sideBySide(ran: string[]) {
    return new StateGraph(MessagesAnnotation)
      .addNode('x', asks('x', ran))
      .addNode('y', branch(ran))
      .addNode('join', says('join', 'joined', ran))
      .addEdge(START, 'x')
      .addEdge(START, 'y')
      .addEdge(['x', 'y'], 'join')
      .addEdge('join', END)
      .compile({ checkpointer: new MemorySaver() });
  }

  function branch(ran: string[]) {
    return new StateGraph(MessagesAnnotation)
      .addNode('first', says('first', 'WRONG', ran))
      .addNode('second', says('second', 'second', ran))
      .addEdge(START, 'first')
      .addEdge('first', 'second')
      .addEdge('second', END)
      .compile();
  }

  const valuesOf = (result: unknown) => questions(result).map(({ value }) => value);

  test('side by side both are asked, ours once', async () => {
    const ran: string[] = [];
    const result = await withAuditor(sideBySide(ran), pausing().runtime).invoke(input, config);
    expect(valuesOf(result)).toHaveLength(2);
    expect(valuesOf(result)).toEqual(
      expect.arrayContaining(['x?', expect.objectContaining({ agent: 'first' })]),
    );
    expect(ran).toEqual(['first']);
  });

  test('a plain answer goes to the host’s question, and both branches go on', async () => {
    const ran: string[] = [];
    const app = withAuditor(sideBySide(ran), pausing().runtime);
    await app.invoke(input, config);
    const result = await app.invoke(new Command({ resume: 'yes' }), config);
    expect(contents(result.messages)).toEqual(['go', 'x: yes', 'WRONG', 'second', 'joined']);
  });

  test('answers by id that leave ours out: the host’s branch goes on, ours stays paused, and can be overridden later', async () => {
    const ran: string[] = [];
    const { runtime, closes } = pausing();
    const app = withAuditor(sideBySide(ran), runtime);
    const asked = questions(await app.invoke(input, config));
    const theirs = asked.find(({ value }) => value === 'x?') as Asked;
    const ours = asked.find(({ value }) => value !== 'x?') as Asked;
    const still = await app.invoke(new Command({ resume: { [theirs.id]: 'yes' } }), config);
    expect(ran).toEqual(['first', 'x']);
    expect(questions(still)).toMatchObject([{ id: ours.id, value: { type: 'audit_alarm' } }]);
    const result = await app.invoke(new Command({ resume: { [ours.id]: 'fine' } }), config);
    expect(contents(result.messages)).toEqual(['go', 'x: yes', 'WRONG', 'second', 'joined']);
    expect(ran).toEqual(['first', 'x', 'second', 'join']);
    expect(closes()).toEqual(['paused', 'interrupted', 'completed']);
  });
});
