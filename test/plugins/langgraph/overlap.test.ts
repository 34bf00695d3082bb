import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { AuditRequest } from '../../../core/auditor.js';
import { AuditHalt, createRuntime, everyTurn } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { input, pause, wrongSpotter } from '../../support/graphs.js';
import { addTool, scriptedModel, supervisor, swarm, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

/** Notes when an audit begins and ends among what runs; wrong is what says WRONG. */
function slowAuditor(ran: string[], delay = 20) {
  const { audit } = wrongSpotter(delay);
  return {
    schedule: everyTurn(),
    audit: async (request: AuditRequest, options: { signal: AbortSignal }) => {
      const { newest } = request.prefix;
      const what = `${newest.agent} ${newest.kind}`;
      ran.push(`asked: ${what}`);
      const verdict = await audit.call(wrongSpotter(delay), request, options);
      ran.push(`judged: ${what}`);
      return verdict;
    },
  };
}

const overlapping = (ran: string[]) => createRuntime({ auditor: slowAuditor(ran), gating: 'overlap' });
const before = (ran: readonly string[], one: string, other: string) => ran.indexOf(one) < ran.indexOf(other);

function addingAgent(ran: string[], words = 'I add.') {
  return createAgent({
    model: scriptedModel('solo', ran, [
      { say: words, call: { name: 'add', args: { a: 1, b: 2 } } },
      'Three.',
    ]),
    tools: [addTool(ran)],
    name: 'solo',
  });
}

describe('overlap', () => {
  test('the next model call runs while a tool’s result is judged; the tool waits for the verdict on its call', async () => {
    const ran: string[] = [];
    await withAuditor(addingAgent(ran), overlapping(ran)).invoke(task);
    expect(ran).toEqual([
      'model:solo',
      'asked: solo agent',
      'judged: solo agent',
      'tool:add',
      'asked: solo tool',
      'model:solo',
      'judged: solo tool',
      'asked: solo agent',
      'judged: solo agent',
    ]);
  });

  test('the final answer waits for its own verdict', async () => {
    const ran: string[] = [];
    const agent = createAgent({ model: scriptedModel('solo', ran, ['WRONG']), tools: [], name: 'solo' });
    await expect(withAuditor(agent, overlapping(ran)).invoke(task)).rejects.toBeInstanceOf(AuditHalt);
  });

  test('a node of the user’s own waits, unless it says that it only calls a model', async () => {
    const order = async (metadata: Record<string, unknown>) => {
      const ran: string[] = [];
      const speaks = (name: string) => async () => {
        ran.push(name);
        return { messages: [new AIMessage({ id: name, content: name })] };
      };
      const graph = new StateGraph(MessagesAnnotation)
        .addNode('one', speaks('one'))
        .addNode('two', speaks('two'), { metadata })
        .addEdge(START, 'one')
        .addEdge('one', 'two')
        .addEdge('two', END)
        .compile();
      await withAuditor(graph, overlapping(ran)).invoke(input);
      return before(ran, 'two', 'judged: one agent');
    };
    expect(await order({})).toBe(false);
    expect(await order({ audit: 'overlap' })).toBe(true);
  });

  test('a tool or a graph that such a node calls in its own code waits all the same', async () => {
    const ran: string[] = [];
    const note = tool(async () => ran.push('tool'), {
      name: 'note',
      description: 'Notes',
      schema: z.object({}),
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('one', async () => ({ messages: [new AIMessage('WRONG')] }))
      .addNode(
        'agent',
        async () => {
          ran.push('agent');
          await note.invoke({});
          return { messages: [new AIMessage('never')] };
        },
        { metadata: { audit: 'overlap' } },
      )
      .addEdge(START, 'one')
      .addEdge('one', 'agent')
      .addEdge('agent', END)
      .compile();
    await expect(withAuditor(graph, overlapping(ran)).invoke(input)).rejects.toBeInstanceOf(AuditHalt);
    expect(ran.filter((what) => !what.includes(':'))).toEqual(['agent']);
  });
});

/** What ran, models left out: under overlap one more of them may have been called. */
const effects = (ran: readonly string[]) => ran.filter((what) => /^(tool|node):/.test(what));

describe('the effects of a run with an alarm are those of block mode', () => {
  const teams = {
    addingAgent,
    supervisor: (ran: string[]) => supervisor({ ran }),
    swarm: (ran: string[]) => swarm({ ran }),
  };
  test.each(Object.keys(teams) as (keyof typeof teams)[])('%s: whichever turn raises it', async (team) => {
    const outcome = async (at: number, mode: 'block' | 'overlap') => {
      const ran: string[] = [];
      let asked = 0;
      const audit = async ({ prefix }: AuditRequest) => {
        const alarms = asked++ === at;
        await pause(2);
        const { agent, index } = prefix.newest;
        return alarms
          ? ({ kind: 'alarm', step: index, agent, reason: 'wrong' } as const)
          : ({ kind: 'continue' } as const);
      };
      const auditor = { schedule: everyTurn(), audit };
      const runtime = createRuntime({ auditor, gating: mode });
      const halted = await withAuditor(teams[team](ran), runtime)
        .invoke(task)
        .then(
          () => false,
          (error: unknown) => error instanceof AuditHalt,
        );
      await pause(10);
      return { halted, effects: effects(ran), asked };
    };
    for (let at = 0; ; at++) {
      const own = await outcome(at, 'overlap');
      expect(own).toEqual(await outcome(at, 'block'));
      if (!own.halted) break;
    }
  });
});

test('paused under overlap, the state is clean: overridden, the tool runs', async () => {
  const ran: string[] = [];
  const agent = createAgent({
    model: scriptedModel('solo', ran, [
      { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
      'Three.',
    ]),
    tools: [addTool(ran)],
    name: 'solo',
    checkpointer: new MemorySaver(),
  });
  const runtime = createRuntime({ auditor: wrongSpotter(5), gating: 'overlap', onAlarm: 'pause' });
  const config = { configurable: { thread_id: '1' } };
  const app = withAuditor(agent, runtime);
  await app.invoke(task, config);
  expect(ran).toEqual(['model:solo']);
  const { messages } = await app.invoke(null, config);
  expect(ran).toEqual(['model:solo', 'tool:add', 'model:solo']);
  expect(messages.at(-1)?.content).toBe('Three.');
});
