import { AsyncResource } from 'node:async_hooks';
import { generateText, ToolLoopAgent } from 'ai';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

const agent = (id: string, words: string, leaving?: () => void) =>
  new ToolLoopAgent({
    id,
    telemetry: { functionId: id },
    model: scriptedLanguageModel(() => {
      leaving?.();
      return says(words);
    }),
  });

test('a hooked agent that is called from what a run has left behind begins a run of its own', async () => {
  const { runtime, of, told } = watched({ auditor: strict() });
  let left: AsyncResource | undefined;
  const first = agent('first', 'fine', () => {
    left = new AsyncResource('a pool that the first run has filled');
  });
  await withAuditor(first, runtime).generate({ prompt: 'go' });
  const second = withAuditor(agent('second', 'wrong'), runtime);
  const later = left?.runInAsyncScope(() => second.generate({ prompt: 'on' }));
  expect(await errorOf(later as Promise<unknown>)).toBeInstanceOf(AuditHalt);
  expect(of('run')).toHaveLength(2);
  expect(told().slice(2)).toEqual(['user, user: on', 'second, agent: wrong']);
});

test('so does a hooked function', async () => {
  const { runtime, of } = watched({ auditor: strict() });
  let left: AsyncResource | undefined;
  const solve = withAuditor(async (words: string) => {
    left ??= new AsyncResource('a pool');
    return (await agent('solver', words).generate({ prompt: 'go' })).text;
  }, runtime);
  await solve('fine');
  const later = left?.runInAsyncScope(() => solve('wrong'));
  expect(await errorOf(later as Promise<unknown>)).toBeInstanceOf(AuditHalt);
  expect(of('run')).toHaveLength(2);
});

test('a bare agent that is called there is bare, and that is reported', async () => {
  const { runtime, faults, told } = watched();
  let left: AsyncResource | undefined;
  const solve = withAuditor(async (_task: string) => {
    left = new AsyncResource('a pool');
    return (await agent('first', 'fine').generate({ prompt: 'go' })).text;
  }, runtime);
  await solve('go');
  await left?.runInAsyncScope(() => agent('second', 'unseen').generate({ prompt: 'on' }));
  expect(told()).toEqual(['user, user: go', 'first, agent: fine']);
  expect(faults).toMatchObject([{ code: 'agent-not-hooked', message: expect.stringContaining('second') }]);
});

test('what a halted run has left behind is halted, too', async () => {
  const { runtime } = watched({ auditor: strict() });
  let left: AsyncResource | undefined;
  const solve = withAuditor(async (_task: string) => {
    left = new AsyncResource('a pool');
    return (await agent('first', 'wrong').generate({ prompt: 'go' })).text;
  }, runtime);
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
  const model = scriptedLanguageModel(() => says('unheard'));
  const later = left?.runInAsyncScope(() => generateText({ model, prompt: 'on' }));
  expect(await errorOf(later as Promise<unknown>)).toBeInstanceOf(AuditHalt);
  expect(model.doGenerateCalls).toEqual([]);
});
