import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import {
  AuditHalt,
  createRuntime,
  type Diagnostic,
  memoryRecorder,
  type RuntimeOptions,
} from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { subGraphGoesBack } from '../../support/framework-versions.js';
import { type inARow, input, wrongSpotter } from '../../support/graphs.js';
import { addTool, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };
const HINT = /^An auditor reviewed this step and found it wrong: says WRONG\n/;

function recovering(options: RuntimeOptions = {}) {
  const auditor = wrongSpotter();
  const recorder = memoryRecorder();
  const told: Diagnostic[] = [];
  const runtime = createRuntime({
    auditor,
    recorder,
    onAlarm: 'recover',
    diagnostics: { report: (diagnostic) => void told.push(diagnostic) },
    ...options,
  });
  const of = <Type extends string>(type: Type) => recorder.records.filter((record) => record.type === type);
  return { auditor, recorder, runtime, told, of };
}

/** Says WRONG as often as it is told to, and notes what it was given. */
function stumbling(id: string, times: number, given: BaseMessage[][] = []) {
  let left = times;
  let tries = 0;
  return async ({ messages }: { messages: BaseMessage[] }) => {
    given.push(messages);
    tries++;
    const content = left-- > 0 ? `${id} is WRONG` : `${id} is right`;
    return { messages: [new AIMessage({ id: `${id}-${tries}`, content })] };
  };
}

function chain(
  nodes: Record<string, (state: { messages: BaseMessage[] }) => Promise<object>>,
  options: object = {},
) {
  const builder = new StateGraph(MessagesAnnotation) as unknown as {
    addNode(name: string, work: unknown): unknown;
    addEdge(from: string, to: string): unknown;
    compile(options: unknown): ReturnType<typeof inARow>;
  };
  const names = Object.keys(nodes);
  for (const [name, work] of Object.entries(nodes)) builder.addNode(name, work);
  for (const [i, name] of names.entries()) builder.addEdge(names[i - 1] ?? START, name);
  builder.addEdge(names.at(-1) as string, END);
  return builder.compile({ checkpointer: new MemorySaver(), ...options });
}

const contents = (messages: readonly BaseMessage[]) => messages.map(({ content }) => String(content));

describe('a blamed step is done again, with the auditor’s reason as a hint', () => {
  test('the wrong words are gone, the hint stands in their place, and the run completes', async () => {
    const given: BaseMessage[][] = [];
    const { runtime, auditor } = recovering();
    const app = withAuditor(
      chain({
        plan: stumbling('plan', 0),
        solve: stumbling('solve', 1, given),
        verify: stumbling('verify', 0),
      }),
      runtime,
    );
    const { messages } = await app.invoke(input, config);
    expect(contents(messages)).toEqual([
      'go',
      'plan is right',
      expect.stringMatching(HINT),
      'solve is right',
      'verify is right',
    ]);
    expect(given.map((state) => state.length)).toEqual([2, 3]);
    expect(given[1]?.at(-1)).toBeInstanceOf(HumanMessage);
    expect(auditor.requests.at(-1)?.turns.map(({ agent, content }) => `${agent}: ${content}`)).toEqual([
      'user: go',
      'plan: plan is right',
      expect.stringMatching(/^user: An auditor reviewed/),
      'solve: solve is right',
      'verify: verify is right',
    ]);
  });

  test('each try is a run of the log, which says what the next one undid', async () => {
    const { runtime, of } = recovering();
    await withAuditor(chain({ plan: stumbling('plan', 0), solve: stumbling('solve', 2) }), runtime).invoke(
      input,
      config,
    );
    const runs = of('run') as { runId: string; continues?: string; recoveries?: number; undone?: string[] }[];
    const wrong = of('turn').flatMap((record) =>
      'turn' in record && record.turn.content.includes('is WRONG') ? [record.turn.id] : [],
    );
    expect(runs).toMatchObject([
      { runId: runs[0]?.runId },
      { continues: runs[0]?.runId, recoveries: 1, undone: [wrong[0]] },
      { continues: runs[1]?.runId, recoveries: 2, undone: [wrong[1]] },
    ]);
    expect(of('verdict').map((record) => 'enforced' in record && record.enforced)).toEqual([
      'proceed',
      'recover',
      'recover',
      'proceed',
    ]);
    expect(of('close').map((record) => 'outcome' in record && record.outcome.status)).toEqual([
      'halted',
      'halted',
      'completed',
    ]);
  });

  test('after maxRecoveries tries the next alarm halts', async () => {
    const ran: BaseMessage[][] = [];
    const { runtime } = recovering({ maxRecoveries: 2 });
    const app = withAuditor(
      chain({ solve: stumbling('solve', 9, ran), after: stumbling('after', 0, ran) }),
      runtime,
    );
    const error = await app.invoke(input, config).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AuditHalt);
    expect(ran).toHaveLength(3);
  });

  test('streamed, the second try follows the first in one stream', async () => {
    const { runtime } = recovering();
    const app = withAuditor(chain({ solve: stumbling('solve', 1), verify: stumbling('verify', 0) }), runtime);
    const updates: string[] = [];
    for await (const chunk of await app.stream(input, { ...config, streamMode: 'updates' }))
      updates.push(...Object.keys(chunk));
    expect(updates).toEqual(['solve', 'solve', 'verify']);
  });

  test('as events (v2), too', async () => {
    const { runtime } = recovering();
    const app = withAuditor(chain({ solve: stumbling('solve', 1), verify: stumbling('verify', 0) }), runtime);
    const ends: string[] = [];
    for await (const { event, name } of app.streamEvents(input, { ...config, version: 'v2' }))
      if (event === 'on_chain_end' && ['solve', 'verify'].includes(name)) ends.push(name);
    expect(ends).toEqual(['solve', 'solve', 'verify']);
  });

  test('an alarm that blames an earlier step goes back to that one', async () => {
    const ran: string[] = [];
    const says = (name: string) => async () => {
      ran.push(name);
      return { messages: [new AIMessage({ id: `${name}-${ran.length}`, content: name })] };
    };
    let alarms = 1;
    const blamesPlan = ({ prefix }: { prefix: { newest: { agent: string } } }) =>
      prefix.newest.agent === 'verify' && alarms-- > 0
        ? ({ kind: 'alarm', step: 1, agent: 'plan', reason: 'bad plan' } as const)
        : ({ kind: 'continue' } as const);
    const { runtime } = recovering({ auditor: { audit: blamesPlan } });
    const app = withAuditor(
      chain({ plan: says('plan'), solve: says('solve'), verify: says('verify') }),
      runtime,
    );
    const { messages } = await app.invoke(input, config);
    expect(ran).toEqual(['plan', 'solve', 'verify', 'plan', 'solve', 'verify']);
    expect(contents(messages)).toEqual(['go', expect.stringMatching(/bad plan/), 'plan', 'solve', 'verify']);
  });

  test('branches: what ran beside the blamed step is done again, what came before is not', async () => {
    const ran: string[] = [];
    const says =
      (name: string, work: (state: { messages: BaseMessage[] }) => Promise<object>) =>
      async (state: { messages: BaseMessage[] }) => {
        ran.push(name);
        return work(state);
      };
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('plan', says('plan', stumbling('plan', 0)))
      .addNode('x', says('x', stumbling('x', 1)))
      .addNode('y', says('y', stumbling('y', 0)))
      .addNode('join', says('join', stumbling('join', 0)))
      .addEdge(START, 'plan')
      .addEdge('plan', 'x')
      .addEdge('plan', 'y')
      .addEdge(['x', 'y'], 'join')
      .addEdge('join', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime } = recovering();
    const { messages } = await withAuditor(graph, runtime).invoke(input, config);
    expect(ran.toSorted()).toEqual(['join', 'plan', 'x', 'x', 'y', 'y']);
    expect(contents(messages).filter((content) => content.includes('is WRONG'))).toEqual([]);
  });

  test('a graph without messages is done again without a hint', async () => {
    const State = Annotation.Root({ sum: Annotation<string> });
    let tries = 0;
    const graph = new StateGraph(State)
      .addNode('add', async () => ({ sum: tries++ === 0 ? 'WRONG' : '3' }))
      .addNode('tell', async ({ sum }) => ({ sum: `it is ${sum}` }))
      .addEdge(START, 'add')
      .addEdge('add', 'tell')
      .addEdge('tell', END)
      .compile({ checkpointer: new MemorySaver() });
    const { runtime } = recovering();
    expect(await withAuditor(graph, runtime).invoke({ sum: '' }, config)).toEqual({ sum: 'it is 3' });
  });

  test('the thread goes on afterwards as any other', async () => {
    const { runtime, auditor } = recovering();
    const app = withAuditor(chain({ solve: stumbling('solve', 1) }), runtime);
    await app.invoke(input, config);
    const { messages } = await app.invoke(
      { messages: [new HumanMessage({ id: 'more', content: 'more' })] },
      config,
    );
    expect(contents(messages)).toEqual([
      'go',
      expect.stringMatching(HINT),
      'solve is right',
      'more',
      'solve is right',
    ]);
    expect(auditor.requests.at(-1)?.turns.at(-1)?.content).toBe('solve is right');
  });
});

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

describe('where there is no way back, it is a halt', () => {
  test('without a checkpointer', async () => {
    const { runtime, of } = recovering();
    const app = withAuditor(chain({ solve: stumbling('solve', 1) }, { checkpointer: undefined }), runtime);
    await expect(app.invoke(input)).rejects.toBeInstanceOf(AuditHalt);
    expect(of('verdict')).toMatchObject([{ enforced: 'halt' }]);
  });

  test('when a turn of an earlier run is blamed', async () => {
    const blamesTask = {
      audit: () => ({ kind: 'alarm', step: 0, agent: 'user', reason: 'bad task' }) as const,
    };
    const { runtime, of } = recovering({ auditor: blamesTask });
    await expect(
      withAuditor(chain({ solve: stumbling('solve', 0) }), runtime).invoke(input, config),
    ).rejects.toBeInstanceOf(AuditHalt);
    expect(of('verdict')).toMatchObject([{ enforced: 'halt' }]);
  });

  test('under durability "exit", which keeps no checkpoint per step, and it is said why', async () => {
    const { runtime, told } = recovering();
    const app = withAuditor(chain({ plan: stumbling('plan', 0), solve: stumbling('solve', 1) }), runtime);
    await expect(app.invoke(input, { ...config, durability: 'exit' })).rejects.toBeInstanceOf(AuditHalt);
    expect(told.map(({ code }) => code)).toEqual(['cannot-recover']);
  });
});
