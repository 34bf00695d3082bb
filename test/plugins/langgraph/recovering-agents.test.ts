import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { chain, contents, HINT, recovering, stumbling } from '../../support/alarmed-graphs.js';
import { subGraphGoesBack } from '../../support/framework-versions.js';
import { input } from '../../support/graphs.js';
import { addTool, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** A model that calls `add` with wrong numbers as often as it is told to, then rightly, then says the sum. */
function stumblingModel(agent: string, times: number, ran: string[]) {
  const model = fakeModel();
  let tries = 0;
  const reply = () => {
    ran.push(`model:${agent}`);
    tries++;
    const sayWrong = tries <= times;
    return new AIMessage({
      id: `${agent}-${tries}`,
      content: sayWrong ? 'WRONG numbers' : 'the numbers',
      tool_calls: [
        { id: `${agent}-call-${tries}`, name: 'add', args: sayWrong ? { a: 0, b: 0 } : { a: 17, b: 23 } },
      ],
    });
  };
  for (let i = 0; i <= times; i++) model.respond(reply);
  model.respond(() => {
    ran.push(`model:${agent}`);
    return new AIMessage({ id: `${agent}-end`, content: 'The sum is 40.' });
  });
  return model;
}

describe('inside agents', () => {
  test('a createAgent calls its model again, and the tool runs once', async () => {
    const ran: string[] = [];
    const agent = createAgent({
      model: stumblingModel('solo', 1, ran),
      tools: [addTool(ran)],
      name: 'solo',
      checkpointer: new MemorySaver(),
    });
    const { messages } = await withAuditor(agent, recovering().runtime).invoke(task, config);
    expect(ran).toEqual(['model:solo', 'model:solo', 'tool:add', 'model:solo']);
    expect(contents(messages)).toEqual([
      'What is 17 + 23?',
      expect.stringMatching(HINT),
      'the numbers',
      '40',
      'The sum is 40.',
    ]);
  });

  test('a blamed tool result goes back to the call behind it', async () => {
    const ran: string[] = [];
    let alarms = 1;
    const blamesTool = ({ prefix }: { prefix: { length: number; newest: { kind: string } } }) =>
      prefix.newest.kind === 'tool' && alarms-- > 0
        ? ({ kind: 'alarm', step: prefix.length - 1, agent: 'solo', reason: 'says WRONG' } as const)
        : ({ kind: 'continue' } as const);
    const { runtime } = recovering({
      auditor: { audit: blamesTool, schedule: { due: () => true } },
    });
    const agent = createReactAgent({
      llm: stumblingModel('solo', 1, ran),
      tools: [addTool(ran)],
      name: 'solo',
      checkpointer: new MemorySaver(),
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('solo', agent)
      .addEdge(START, 'solo')
      .addEdge('solo', END)
      .compile({ checkpointer: new MemorySaver() });
    const { messages } = await withAuditor(graph, runtime).invoke(task, config);
    expect(ran).toEqual(['model:solo', 'tool:add', 'model:solo', 'tool:add', 'model:solo']);
    expect(contents(messages).at(-1)).toBe('The sum is 40.');
  });

  test('a sub-graph goes back to its own step: what it did before is not done again', async () => {
    const ran: string[] = [];
    const inner = new StateGraph(MessagesAnnotation)
      .addNode('look', async () => {
        ran.push('look');
        return { messages: [new AIMessage({ id: 'look', content: 'looked' })] };
      })
      .addNode('think', stumbling('think', 1))
      .addNode('act', async () => {
        ran.push('act');
        return { messages: [new AIMessage({ id: 'act', content: 'acted' })] };
      })
      .addEdge(START, 'look')
      .addEdge('look', 'think')
      .addEdge('think', 'act')
      .addEdge('act', END)
      .compile();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('before', async () => {
        ran.push('before');
        return { messages: [new AIMessage({ id: 'before', content: 'before' })] };
      })
      .addNode('team', inner)
      .addNode('after', async () => ({ messages: [new AIMessage({ id: 'after', content: 'after' })] }))
      .addEdge(START, 'before')
      .addEdge('before', 'team')
      .addEdge('team', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime, auditor } = recovering();
    const { messages } = await withAuditor(graph, runtime).invoke(input, config);
    if (!subGraphGoesBack) {
      expect(ran, 'all of the sub-graph is done again').toEqual(['before', 'look', 'look', 'act']);
      const said = ['go', 'before', 'looked', 'think is right', 'acted', 'after'];
      expect(contents(messages), 'and the hint does not reach it').toEqual(said);
      const told = auditor.requests.at(-1)?.turns.map(({ content }) => content);
      expect(
        told?.filter((content) => HINT.test(content)),
        'nor does the log claim so',
      ).toEqual([]);
      return;
    }
    expect(ran).toEqual(['before', 'look', 'act']);
    expect(contents(messages)).toEqual([
      'go',
      'before',
      'looked',
      expect.stringMatching(HINT),
      'think is right',
      'acted',
      'after',
    ]);
    expect(auditor.requests.at(-1)?.turns.map(({ content }) => content)).toEqual([
      'go',
      'before',
      'looked',
      expect.stringMatching(HINT),
      'think is right',
      'acted',
      'after',
    ]);
  });

  test('an agent called inside a function, of which LangGraph finds no history, is run again with its node', async () => {
    const ran: string[] = [];
    const model = stumblingModel('hidden', 1, ran);
    const graph = chain({
      before: stumbling('before', 0),
      outer: async () => {
        ran.push('outer');
        const agent = createAgent({ model, tools: [addTool(ran)], name: 'hidden' });
        const { messages } = await agent.invoke(task);
        return { messages: [new AIMessage({ id: 'outer', content: String(messages.at(-1)?.content) })] };
      },
    });
    const { messages } = await withAuditor(graph, recovering().runtime).invoke(input, config);
    expect(ran).toEqual(['outer', 'model:hidden', 'outer', 'model:hidden', 'tool:add', 'model:hidden']);
    expect(contents(messages).at(-1)).toBe('The sum is 40.');
  });
});
