import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, test } from 'vitest';
import { createRuntime, memoryRecorder, type Turn } from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { plainGraph, soloAgent, supervisor, swarm, task, teams } from '../../support/langgraph-teams.js';

function audited() {
  const recorder = memoryRecorder();
  return { runtime: createRuntime({ auditor: approvingAuditor(), recorder }), recorder };
}

function turnsIn(recorder: ReturnType<typeof memoryRecorder>): Turn[] {
  return recorder.records.flatMap((record) => (record.type === 'turn' ? [record.turn] : []));
}

/** `2 solve agent: solve speaks`, with calls and handoffs marked. */
function summary({ index, agent, kind, content, toolCalls, handoffTo }: Turn): string {
  const calls = toolCalls?.map(({ name }) => ` [${name}]`).join('') ?? '';
  return `${index} ${agent} ${kind}: ${content}${calls}${handoffTo ? ` -> ${handoffTo}` : ''}`;
}

describe('every turn of the run is told once, in order, by the agent that caused it', () => {
  test('plain graph', async () => {
    const { runtime, recorder } = audited();
    await withAuditor(plainGraph({ ran: [] }), runtime).invoke(task);
    expect(turnsIn(recorder).map(summary)).toEqual([
      '0 user user: What is 17 + 23?',
      '1 plan agent: plan speaks',
      '2 solve agent: solve speaks',
      '3 verify agent: verify speaks',
    ]);
  });

  test('createAgent: the tool result belongs to the agent that asked', async () => {
    const { runtime, recorder } = audited();
    await withAuditor(soloAgent({ ran: [] }), runtime).invoke(task);
    expect(turnsIn(recorder).map(summary)).toEqual([
      '0 user user: What is 17 + 23?',
      '1 solo agent: I add. [add]',
      '2 solo tool: 40',
      '3 solo agent: The sum is 40.',
    ]);
    expect(turnsIn(recorder)[1]?.toolCalls).toEqual([
      { id: 'solo-call-0', name: 'add', args: { a: 17, b: 23 } },
    ]);
    expect(turnsIn(recorder)[2]).toMatchObject({ toolCallId: 'solo-call-0', toolName: 'add' });
  });

  test('supervisor: the inner turns of its agents, and every handoff', async () => {
    const { runtime, recorder } = audited();
    await withAuditor(supervisor({ ran: [] }), runtime).invoke(task);
    expect(turnsIn(recorder).map(summary)).toEqual([
      '0 user user: What is 17 + 23?',
      '1 boss agent:  [transfer_to_researcher]',
      '2 boss tool: Successfully transferred to researcher -> researcher',
      '3 researcher agent:  [add]',
      '4 researcher tool: 40',
      '5 researcher agent: researcher found 40.',
      '6 researcher agent: Transferring back to boss [transfer_back_to_boss]',
      '7 researcher tool: Successfully transferred back to boss',
      '8 boss agent:  [transfer_to_writer]',
      '9 boss tool: Successfully transferred to writer -> writer',
      '10 writer agent:  [add]',
      '11 writer tool: 40',
      '12 writer agent: writer found 40.',
      '13 writer agent: Transferring back to boss [transfer_back_to_boss]',
      '14 writer tool: Successfully transferred back to boss',
      '15 boss agent: All done: 40.',
    ]);
  });

  test('swarm', async () => {
    const { runtime, recorder } = audited();
    await withAuditor(swarm({ ran: [] }), runtime).invoke(task);
    expect(turnsIn(recorder).map(summary)).toEqual([
      '0 user user: What is 17 + 23?',
      '1 alice agent:  [add]',
      '2 alice tool: 40',
      '3 alice agent:  [transfer_to_bob]',
      '4 alice tool: Successfully transferred to bob -> bob',
      '5 bob agent:  [add]',
      '6 bob tool: 40',
      '7 bob agent: Bob says 40.',
    ]);
  });
});

test.each(Object.keys(teams) as (keyof typeof teams)[])(
  '%s: streaming, and a checkpointer, change nothing about the turns',
  async (team) => {
    const invoked = audited();
    await withAuditor(teams[team]({ ran: [] }), invoked.runtime).invoke(task);
    const streamed = audited();
    const graph = withAuditor(teams[team]({ ran: [], checkpointer: new MemorySaver() }), streamed.runtime);
    const config = { configurable: { thread_id: '1' }, streamMode: 'updates' as const };
    for await (const _chunk of await graph.stream(task, config)) {
      // Only the turns matter here.
    }
    expect(turnsIn(streamed.recorder).map(summary)).toEqual(turnsIn(invoked.recorder).map(summary));
    expect(turnsIn(streamed.recorder).map(({ id }) => id)).toEqual(
      turnsIn(invoked.recorder).map(({ id }) => id),
    );
  },
);

test('a chat on one thread: what was said before is given, not audited again', async () => {
  const auditor = approvingAuditor();
  const recorder = memoryRecorder();
  const runtime = createRuntime({ auditor, recorder });
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 'chat' } };
  await withAuditor(plainGraph({ ran: [], checkpointer }), runtime).invoke(task, config);
  const asked = auditor.requests.length;
  const next = { messages: [{ role: 'user', content: 'And twice that?', id: 'second' }] };
  await withAuditor(soloAgent({ ran: [], checkpointer }), runtime).invoke(next, config);
  const second = auditor.requests.slice(asked);
  expect(second.map(({ task: words }) => words)).toEqual([
    'And twice that?',
    'And twice that?',
    'And twice that?',
  ]);
  expect(second[0]?.turns.map(summary)).toEqual([
    '0 user user: What is 17 + 23?',
    '1 assistant agent: plan speaks',
    '2 assistant agent: solve speaks',
    '3 assistant agent: verify speaks',
    '4 user user: And twice that?',
    '5 solo agent: I add. [add]',
  ]);
});

test('concurrent runs of one hooked graph do not mix', async () => {
  const { runtime, recorder } = audited();
  const graph = withAuditor(plainGraph({ ran: [] }), runtime);
  await Promise.all(
    Array.from({ length: 20 }, (_, i) =>
      graph.invoke({ messages: [{ role: 'user', content: `task ${i}` }] }),
    ),
  );
  const byRun = Map.groupBy(
    recorder.records.filter((record) => record.type === 'turn'),
    (record) => record.runId,
  );
  expect(byRun.size).toBe(20);
  for (const records of byRun.values()) {
    expect(records.map(({ turn }) => turn.agent)).toEqual(['user', 'plan', 'solve', 'verify']);
    expect(records.map(({ turn }) => turn.index)).toEqual([0, 1, 2, 3]);
  }
});

test('hooking twice, and hooking a graph inside a hooked graph, tells each turn once', async () => {
  const { runtime, recorder } = audited();
  await withAuditor(withAuditor(plainGraph({ ran: [] }), runtime), runtime).invoke(task);
  expect(turnsIn(recorder)).toHaveLength(4);
  expect(recorder.records.filter(({ type }) => type === 'run')).toHaveLength(1);
});
