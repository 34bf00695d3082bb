import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import type { ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { type Asked, contents, pausing, questions } from '../../support/alarmed-graphs.js';
import { input, pause, wrongSpotter } from '../../support/graphs.js';
import { addTool, scriptedModel, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

const says = (id: string, content: string) => async () => ({ messages: [new AIMessage({ id, content })] });
const asked = (auditor: ScriptedAuditor) => auditor.requests.map(({ turns }) => turns.at(-1)?.content);

function wrongBranch() {
  return new StateGraph(MessagesAnnotation)
    .addNode('first', says('first', 'WRONG'))
    .addNode('second', says('second', 'second'))
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .addEdge('second', END)
    .compile();
}

describe('what an alarm left unjudged, and what it has settled', () => {
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
