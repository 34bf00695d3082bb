import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { chain, contents, HINT, recovering, stumbling } from '../../support/alarmed-graphs.js';
import { input } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

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
