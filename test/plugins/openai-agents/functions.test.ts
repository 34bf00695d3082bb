import { setTimeout as pause } from 'node:timers/promises';
import { run as sdkRun, setTracingDisabled } from '@openai/agents';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, says } from './replying-model.js';

setTracingDisabled(true);

test('the SDK’s own run is a host: each call is a run', async () => {
  const { runtime, told, of } = watched();
  const run = withAuditor(sdkRun, runtime);
  expect((await run(replying('a', 'one'), 'first')).finalOutput).toBe('one');
  const stream = await run(replying('b', 'two'), 'second', { stream: true });
  await stream.completed;
  expect(told()).toEqual(['user, user: first', 'a, agent: one', 'user, user: second', 'b, agent: two']);
  expect(of('run')).toHaveLength(2);
});

test('the agents of a function follow one another in one run, and its argument is the task', async () => {
  const { runtime, told, of } = watched();
  const solve = withAuditor(async (task: string) => {
    const plan = await sdkRun(replying('planner', 'plan it'), `plan: ${task}`);
    return (await sdkRun(replying('solver', 'done'), String(plan.finalOutput))).finalOutput;
  }, runtime);
  expect(await solve('go')).toBe('done');
  expect(told()).toEqual(['user, user: go', 'planner, agent: plan it', 'solver, agent: done']);
  expect(of('run')).toMatchObject([{ task: 'go' }]);
});

test('a function keeps its this, its name and what hangs on it', async () => {
  const { runtime } = watched();
  async function solve(this: { readonly words: string }, task: string) {
    return (await sdkRun(replying('solver', this.words), task)).finalOutput;
  }
  const twin = withAuditor(Object.assign(solve, { version: 3 }), runtime);
  expect([twin.name, twin.length, twin.version]).toEqual(['solve', 1, 3]);
  expect(await twin.call({ words: 'mine' }, 'go')).toBe('mine');
});

test('functions side by side, hooked, are lanes: what an agent of one says is no past of the other’s', async () => {
  const { runtime, of, turns } = watched();
  const lane = (name: string, ms: number) =>
    withAuditor(async (task: string) => {
      await pause(ms);
      await sdkRun(replying(`${name}-1`, `${name} one`), task);
      await pause(ms);
      return (await sdkRun(replying(`${name}-2`, `${name} two`), task)).finalOutput;
    }, runtime);
  const solve = withAuditor(
    (task: string) => Promise.all([lane('red', 8)(task), lane('blue', 3)(task)]),
    runtime,
  );
  expect(await solve('go')).toEqual(['red two', 'blue two']);
  expect(of('run')).toHaveLength(1);
  const places = turns().map(({ agent, path }) => [agent, path.map(({ step, lane }) => `${step} ${lane}`)]);
  expect(Object.fromEntries(places.slice(1) as [string, string[]][])).toEqual({
    'red-1': ['1 call/000000', '1 call/000000'],
    'red-2': ['1 call/000000', '2 call/000000'],
    'blue-1': ['1 call/000001', '1 call/000000'],
    'blue-2': ['1 call/000001', '2 call/000000'],
  });
});

test('a halt that the function swallows, or wraps, is the halt of its call; no agent follows', async () => {
  for (const wraps of [false, true]) {
    const { runtime, outcomes } = watched({ auditor: strict() });
    const heard: string[] = [];
    const solve = withAuditor(async (task: string) => {
      const first = sdkRun(replying('a', 'wrong'), task);
      if (wraps)
        await first.catch((cause) => {
          throw new Error('could not be done', { cause });
        });
      await first.catch(() => {});
      const second = replying('b', () => {
        heard.push('b');
        return says('never');
      });
      await sdkRun(second, task).catch(() => {});
      return 'as if';
    }, runtime);
    expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
    expect([heard, outcomes()]).toEqual([[], ['halted']]);
  }
});

test.each([
  [undefined, ['a', 'verdict', 'code', 'b', 'verdict']],
  ['overlap' as const, ['a', 'code', 'b', 'verdict', 'verdict']],
])(
  'under overlap, the code between two agents waits for the verdict unless it says otherwise (%s)',
  async (audit, order) => {
    const log: string[] = [];
    const auditor = strict(async () => {
      await pause(30);
      log.push('verdict');
    });
    const { runtime } = watched({ auditor, gating: 'overlap' });
    const noted = (name: string) =>
      replying(name, () => {
        log.push(name);
        return says(name);
      });
    const solve = withAuditor(
      async (task: string) => {
        await sdkRun(noted('a'), task);
        log.push('code');
        return (await sdkRun(noted('b'), task)).finalOutput;
      },
      runtime,
      { audit },
    );
    expect(await solve('go')).toBe('b');
    expect(log).toEqual(order);
  },
);

test('under overlap a tool of the next agent waits for the verdict on the one before', async () => {
  const ran: string[] = [];
  const { runtime } = watched({ auditor: strict(() => pause(30)), gating: 'overlap' });
  const solve = withAuditor(
    async (task: string) => {
      await sdkRun(replying('a', 'wrong'), task);
      const b = replying('b', (request) => (isAnswered(request) ? says('done') : calls('send')), {
        tools: [noting(ran, 'send')],
      });
      return (await sdkRun(b, task)).finalOutput;
    },
    runtime,
    { audit: 'overlap' },
  );
  expect(await errorOf(solve('go'))).toMatchObject({ result: { agent: 'a' } });
  expect(ran).toEqual([]);
});

test('an agent that a function does not wait for runs on when the run is over, and tells nothing', async () => {
  const { runtime, told, faults } = watched();
  let late: Promise<unknown> = Promise.resolve();
  const solve = withAuditor(async (task: string) => {
    const { finalOutput } = await sdkRun(replying('a', 'done'), task);
    const slow = replying('late', async () => {
      await pause(20);
      return says('too late');
    });
    late = bareRunner().run(slow, task);
    return finalOutput;
  }, runtime);
  expect(await solve('go')).toBe('done');
  await late;
  expect(told()).toEqual(['user, user: go', 'a, agent: done']);
  expect(faults).toEqual([]);
});
