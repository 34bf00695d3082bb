import { ToolLoopAgent } from 'ai';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, watched } from './audited.js';

const hanging = { audit: () => new Promise<never>(() => {}) };
const agent = () =>
  new ToolLoopAgent({ id: 'solver', onError: () => {}, model: scriptedLanguageModel(() => says('hi')) });

test('who aborts while a verdict is awaited waits no longer, and gets his own reason', async () => {
  const { runtime, outcomes } = watched({ auditor: hanging, deadlineMs: 500 });
  const controller = new AbortController();
  const reason = new Error('the user left');
  const generated = errorOf(
    withAuditor(agent(), runtime).generate({ prompt: 'go', abortSignal: controller.signal }),
  );
  setTimeout(() => controller.abort(reason), 20);
  expect(await generated).toBe(reason);
  expect(outcomes()).toEqual([]); // nobody waited for the verdict
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});

test('an aborted stream has an abort part, as bare', async () => {
  const { runtime, outcomes } = watched({ auditor: hanging, deadlineMs: 500 });
  const controller = new AbortController();
  const result = await withAuditor(agent(), runtime).stream({ prompt: 'go', abortSignal: controller.signal });
  setTimeout(() => controller.abort(), 20);
  const types = (await Array.fromAsync(result.fullStream)).map(({ type }) => type);
  expect(types.at(-1)).toBe('abort');
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});

test('a function’s own abort signal is found among its arguments', async () => {
  const { runtime, outcomes } = watched({ auditor: hanging, deadlineMs: 500 });
  const solve = withAuditor(
    async (task: string, _options: { signal: AbortSignal }) =>
      (await agent().generate({ prompt: task })).text,
    runtime,
  );
  const controller = new AbortController();
  const solved = errorOf(solve('go', { signal: controller.signal }));
  setTimeout(() => controller.abort(new Error('the user left')), 20);
  expect(await solved).toMatchObject({ message: 'the user left' });
  expect(outcomes()).toEqual([]); // nobody waited for the verdict
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});
