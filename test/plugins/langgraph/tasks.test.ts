import { entrypoint, MemorySaver, task } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime, type Turn } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAtEveryTurn, nameOf, offences } from '../../support/alarms.js';
import { blaming, inARow, input, noting, watching } from '../../support/graphs.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

const step = (ran: string[], name: string, wait = 0) =>
  task(name, async (_: string) => noting(ran, name, wait)());

/** Two lines of two tasks each, side by side. */
function lines(ran: string[]) {
  const [a1, a2] = [step(ran, 'a1', 4), step(ran, 'a2', 9)];
  const [b1, b2] = [step(ran, 'b1', 11), step(ran, 'b2', 3)];
  return { a: async () => a2(await a1('go')), b: async () => b2(await b1('go')) };
}

/** A task of one line need not wait for a verdict on the other line. */
const otherLine = (event: string, { agent }: Turn) =>
  /^[ab]\d$/.test(agent) && / [ab]\d$/.test(event) && event.at(-2) !== agent[0];

// LangGraph numbers tasks by their starts, so which of two lines gets to its second task first is in the ids.

describe('tasks side by side, of the functional API', () => {
  test('an alarm on any of them stops every line at its next task', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const flow = entrypoint('flow', async (_: string) => {
        const { a, b } = lines(ran);
        const said = await Promise.all([a(), b()]);
        ran.push('start own code');
        return said.join(', ');
      });
      return hook(flow).invoke('go');
    }, nameOf);
    expect(runs.map(({ blamed }) => nameOf(blamed)).toSorted()).toEqual([
      'a1: a1 speaks',
      'a2: a2 speaks',
      'b1: b1 speaks',
      'b2: b2 speaks',
      'flow: a2 speaks, b2 speaks',
    ]);
    expect(offences(runs, otherLine)).toEqual([]);
  });

  test('also where the code takes failures as they come', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const flow = entrypoint('flow', async (_: string) => {
        const { a, b } = lines(ran);
        const last = step(ran, 'last');
        await Promise.allSettled([a(), b()]);
        await last('go').catch(() => undefined);
        ran.push('end own code');
        return 'flow is done';
      });
      return hook(flow).invoke('go');
    }, nameOf);
    expect(runs).toHaveLength(6);
    expect(offences(runs, otherLine)).toEqual([]);
  });

  test('a task that asks a graph, and one that asks a task', async () => {
    const runs = await alarmAtEveryTurn((ran, hook) => {
      const asksGraph = task('asks graph', async (_: string) => {
        await inARow({ one: noting(ran, 'one'), two: noting(ran, 'two') }).invoke(input);
        ran.push('start own code');
        return 'the graph is done';
      });
      const asksTask = task('asks task', async (_: string) => {
        await step(ran, 'inner')('go');
        ran.push('start own code');
        return 'the task is done';
      });
      const flow = entrypoint('flow', async (text: string) => asksTask(await asksGraph(text)));
      return hook(flow).invoke('go');
    });
    expect(runs.map(({ blamed }) => blamed.agent)).toEqual([
      'one',
      'two',
      'asks graph',
      'inner',
      'asks task',
      'flow',
    ]);
    expect(offences(runs)).toEqual([]);
  });
});

test('an entrypoint inside a node, and a graph inside an entrypoint', async () => {
  const { runtime, told } = watching();
  const flow = entrypoint('flow', async (_: string) => {
    const said = await step([], 'work')('go');
    return `flow: ${said}`;
  });
  const graph = inARow({ outer: async () => flow.invoke('go') });
  const whole = entrypoint('whole', async (_: string) => (await graph.invoke(input)).messages.at(-1)?.text);
  await withAuditor(whole, runtime).invoke('go');
  expect(told()).toEqual([
    'user: go',
    'work: work speaks',
    'flow: flow: work speaks',
    'outer: flow: work speaks',
    'whole: flow: work speaks',
  ]);
});

test('a halted flow is taken up again: tasks that are done are not run again', async () => {
  const ran: string[] = [];
  const flow = entrypoint({ name: 'flow', checkpointer: new MemorySaver() }, async (text: string) => {
    await step(ran, 'first')(text);
    await step(ran, 'second')(text);
    return 'flow is done';
  });
  const app = withAuditor(flow, createRuntime({ auditor: blaming('first') }));
  await expect(app.invoke('go', config)).rejects.toBeInstanceOf(AuditHalt);
  expect(await app.invoke(null as never, config)).toBe('flow is done');
  expect(ran.filter((event) => event.startsWith('start'))).toEqual(['start first', 'start second']);
});

test.each([[{ output: 'a', more: 1 }], [[{ output: 1 }]], [[]], [null], [undefined], [7], [true]])(
  'a task that returns %j tells it as it is',
  async (value) => {
    const { runtime, told } = watching();
    const work = task('work', async (_: string) => value);
    const flow = entrypoint('flow', async (text: string) => {
      await work(text);
      return 'done';
    });
    await withAuditor(flow, runtime).invoke('go');
    const words = value === null || value === undefined ? [] : [`work: ${JSON.stringify(value)}`];
    expect(told()).toEqual(['user: go', ...words, 'flow: done']);
  },
);
