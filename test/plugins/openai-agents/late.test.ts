import { AsyncResource } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { MaxTurnsExceededError, run as sdkRun, setTracingDisabled } from '@openai/agents';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, replying, strict, watched } from './audited.js';

setTracingDisabled(true);

test('a hooked runner that is called from what a run has left behind begins a run of its own', async () => {
  const { runtime, of, told } = watched({ auditor: strict() });
  const twin = withAuditor(bareRunner(), runtime);
  let left: AsyncResource | undefined;
  const first = replying('first', 'fine', {
    instructions: () => {
      left = new AsyncResource('a pool that the first run has filled');
      return '';
    },
  });
  await twin.run(first, 'go');
  const later = left?.runInAsyncScope(() => twin.run(replying('second', 'wrong'), 'on'));
  expect(await errorOf(later as Promise<unknown>)).toBeInstanceOf(AuditHalt);
  expect(of('run')).toHaveLength(2);
  expect(told().slice(2)).toEqual(['user, user: on', 'second, agent: wrong']);
});

test('a bare runner that is called there is bare, and that is reported', async () => {
  const { runtime, faults, told } = watched();
  let left: AsyncResource | undefined;
  const solve = withAuditor(async (task: string) => {
    left = new AsyncResource('a pool');
    return (await sdkRun(replying('first', 'fine'), task)).finalOutput;
  }, runtime);
  await solve('go');
  await left?.runInAsyncScope(() => sdkRun(replying('second', 'unseen'), 'on'));
  expect(told()).toEqual(['user, user: go', 'first, agent: fine']);
  expect(faults).toMatchObject([{ code: 'agent-not-hooked', message: expect.stringContaining('second') }]);
});

test('a stream that fails before its first model call ends its run', async () => {
  const { runtime, outcomes } = watched();
  const twin = withAuditor(bareRunner(), runtime);
  const broken = replying('boss', 'fine', {
    instructions: () => {
      throw new Error('no instructions');
    },
  });
  const stream = await twin.run(broken, 'go', { stream: true });
  expect(await errorOf(stream.completed)).toMatchObject({ message: 'no instructions' });
  const spent = await twin.run(replying('boss', 'fine'), 'go', { stream: true, maxTurns: 0 });
  expect(await errorOf(spent.completed)).toBeInstanceOf(MaxTurnsExceededError);
  const solve = withAuditor(async (task: string) => {
    const inner = await sdkRun(broken, task, { stream: true });
    await inner.completed.catch(() => {});
    return 'over';
  }, runtime);
  expect(await solve('go')).toBe('over');
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
});

test('the abort of one agent within a function waits for no verdict', async () => {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const auditor = {
    ...strict(),
    audit: () => {
      resolve();
      return new Promise<never>(() => {});
    },
  };
  const { runtime } = watched({ auditor: auditor as never, deadlineMs: 2000 });
  const controller = new AbortController();
  const solve = withAuditor(
    async (task: string) => sdkRun(replying('a', 'fine'), task, { signal: controller.signal }),
    runtime,
  );
  const run = errorOf(solve('go'));
  await asked;
  const left = performance.now();
  controller.abort();
  await run;
  expect(performance.now() - left).toBeLessThan(1000);
  await pause(0);
});
