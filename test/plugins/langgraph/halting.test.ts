import { AIMessage } from '@langchain/core/messages';
import { END, GraphDrained, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import {
  AuditHalt,
  createRuntime,
  type AuditHalt as Halt,
  memoryRecorder,
  type Turn,
} from '../../../core/index.js';
import { ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { soloAgent, task, teams } from '../../support/langgraph-teams.js';

// LangChain prints every throw of a callback handler; forty expected halts would bury a real message.
vi.spyOn(console, 'error').mockImplementation(() => {});

type Team = keyof typeof teams;

/** The turns of a healthy run, and what had run by the end of each turn. */
async function healthyRun(team: Team): Promise<{ turns: readonly Turn[]; ranBy: readonly number[] }> {
  const ran: string[] = [];
  const ranBy: number[] = [];
  const turns: Turn[] = [];
  const auditor = new ScriptedAuditor([], ({ prefix }: { prefix: { newest: Turn } }) => {
    turns.push(prefix.newest);
    ranBy.push(ran.length);
    return { kind: 'continue' };
  });
  await withAuditor(teams[team]({ ran }), createRuntime({ auditor })).invoke(task);
  return { turns, ranBy };
}

/** Raises the alarm at one turn, by its number among the audited ones. */
function alarmAt(audit: number, agent: string) {
  let asked = 0;
  return new ScriptedAuditor([], ({ prefix }: { prefix: { length: number } }) =>
    asked++ === audit
      ? { kind: 'alarm', step: prefix.length - 1, agent, reason: 'this step is wrong' }
      : { kind: 'continue' },
  );
}

async function haltOf(run: () => Promise<unknown>): Promise<Halt> {
  const error = await run().then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof AuditHalt)) throw new Error(`expected a halt, got ${String(error)}`);
  return error;
}

describe.each(Object.keys(teams) as Team[])('%s', (team) => {
  describe.each(['invoke', 'stream'] as const)('%s', (mode) => {
    test.each([false, true])(
      'whichever step raises the alarm, nothing of any later step runs (checkpointer: %s)',
      async (saves) => {
        const healthy = await healthyRun(team);
        for (const [audit, turn] of healthy.turns.entries()) {
          const ran: string[] = [];
          const checkpointer = saves ? new MemorySaver() : undefined;
          const runtime = createRuntime({ auditor: alarmAt(audit, turn.agent) });
          const graph = withAuditor(teams[team]({ ran, checkpointer }), runtime);
          const config = { configurable: { thread_id: '1' } };
          const halt = await haltOf(async () => {
            if (mode === 'invoke') await graph.invoke(task, config);
            else
              for await (const _chunk of await graph.stream(task, { ...config, streamMode: 'updates' })) {
                // Drained to its end.
              }
          });
          expect(ran, `alarm at ${turn.id}`).toHaveLength(healthy.ranBy[audit] as number);
          expect(halt.alarm).toMatchObject({ kind: 'alarm', step: audit + 1, agent: turn.agent });
          expect(halt.turns[audit + 1]).toMatchObject({ id: turn.id, content: turn.content });
          expect(halt.verdicts.map(({ verdict }) => verdict.kind)).toEqual([
            ...Array(audit).fill('continue'),
            'alarm',
          ]);
          await new Promise((resolve) => setTimeout(resolve, 5));
          expect(ran, 'nothing starts after the rejection either').toHaveLength(
            healthy.ranBy[audit] as number,
          );
        }
      },
    );
  });
});

test('the halt is an AuditHalt and a GraphDrained, and says step, agent and reason', async () => {
  const graph = withAuditor(soloAgent({ ran: [] }), createRuntime({ auditor: alarmAt(0, 'solo') }));
  const halt = await haltOf(() => graph.invoke(task));
  expect(halt).toBeInstanceOf(GraphDrained);
  expect(halt.message).toBe('audit alarm at step 1 (solo): this step is wrong');
});

test('an alarm on the very last step, after which no node starts, still rejects the run', async () => {
  const graph = withAuditor(teams.plainGraph({ ran: [] }), createRuntime({ auditor: alarmAt(2, 'verify') }));
  expect((await haltOf(() => graph.invoke(task))).alarm?.step).toBe(3);
});

test('observe: the run is left alone, and the record says what would have been halted', async () => {
  const recorder = memoryRecorder();
  const auditor = alarmAt(0, 'plan');
  const graph = withAuditor(
    teams.plainGraph({ ran: [] }),
    createRuntime({ auditor, recorder, onAlarm: 'observe' }),
  );
  const result = await graph.invoke(task);
  expect(result.messages).toHaveLength(4);
  const verdicts = recorder.records.filter((record) => record.type === 'verdict');
  expect(verdicts).toMatchObject([{ verdict: { kind: 'alarm', step: 1 }, enforced: 'proceed' }]);
  expect(auditor.requests, 'the first alarm is the last word').toHaveLength(1);
});

/** `calls` runs an agent inside a function node, as people write it: without handing the config on. */
function hiddenAgent(ran: string[], calls: () => Promise<unknown>) {
  return new StateGraph(MessagesAnnotation)
    .addNode('outer', async () => {
      await calls();
      return { messages: [new AIMessage('outer is done')] };
    })
    .addNode('after', async () => {
      ran.push('node:after');
      return { messages: [new AIMessage('after')] };
    })
    .addEdge(START, 'outer')
    .addEdge('outer', 'after')
    .addEdge('after', END)
    .compile();
}

test('an agent called inside a function node is seen and halted', async () => {
  const ran: string[] = [];
  const graph = hiddenAgent(ran, () => soloAgent({ ran }).invoke(task));
  const halt = await haltOf(() =>
    withAuditor(graph, createRuntime({ auditor: alarmAt(0, 'solo') })).invoke(task),
  );
  expect(halt.alarm?.agent).toBe('solo');
  expect(ran).toEqual(['model:solo']);
});

test('the latch: a node that swallows the halt of its inner agent is halted at the next one', async () => {
  const ran: string[] = [];
  const graph = hiddenAgent(ran, () =>
    soloAgent({ ran })
      .invoke(task)
      .catch(() => undefined),
  );
  const halt = await haltOf(() =>
    withAuditor(graph, createRuntime({ auditor: alarmAt(0, 'solo') })).invoke(task),
  );
  expect(halt.alarm?.step).toBe(1);
  expect(ran).toEqual(['model:solo']);
});

test('a retry policy does not repeat a halted step', async () => {
  const ran: string[] = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('flaky', async () => ({ messages: [new AIMessage('a wrong step')] }))
    .addNode(
      'next',
      async () => {
        ran.push('node:next');
        return { messages: [new AIMessage('next')] };
      },
      { retryPolicy: { maxAttempts: 3, initialInterval: 1 } },
    )
    .addEdge(START, 'flaky')
    .addEdge('flaky', 'next')
    .addEdge('next', END)
    .compile();
  await haltOf(() => withAuditor(graph, createRuntime({ auditor: alarmAt(0, 'flaky') })).invoke(task));
  expect(ran).toEqual([]);
});
