import { setTimeout as pause } from 'node:timers/promises';
import { streamText, ToolLoopAgent } from 'ai';
import { expect, test, vi } from 'vitest';
import { AuditHalt, SetupError } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
} from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, noting, strict, watched } from './audited.js';

const streaming = (ran: string[], first = 'add') =>
  streamText({
    model: scriptedLanguageModel((prompt) => (isAnswered(prompt) ? says('done') : calls(first, {}))),
    tools: { add: noting(ran, 'add'), wrong: noting(ran, 'wrong') },
    stopWhen: ({ steps }) => steps.length === 2,
    telemetry: { functionId: 'solver' },
    onError: () => {},
    prompt: 'go',
  });

test('a stream inside what a function returns is audited to its end', async () => {
  const { runtime, told, outcomes, faults } = watched();
  const solve = withAuditor(async (_task: string) => ({ answer: streaming([]) }), runtime);
  const { answer } = await solve('go');
  expect(await answer.text).toBe('done');
  expect(told()).toEqual([
    'user, user: go',
    'solver, agent: ',
    'solver, tool: add done',
    'solver, agent: done',
  ]);
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
  expect(faults).toEqual([]);
});

test('there, too, no tool runs before the verdict', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const ran: string[] = [];
  const solve = withAuditor(async (_task: string) => ({ answer: streaming(ran, 'wrong') }), runtime);
  // Whichever is first: the function's return waits for the verdict, too.
  expect(await errorOf(solve('go').then(({ answer }) => answer.text))).toBeInstanceOf(AuditHalt);
  expect(ran).toEqual([]);
  await vi.waitFor(() => expect(outcomes()).toEqual(['halted']));
});

test('a function that returns while an agent of its is still at work: the run ends with the last of them', async () => {
  const { runtime, told, outcomes } = watched();
  const slow = new ToolLoopAgent({
    telemetry: { functionId: 'slow' },
    model: scriptedLanguageModel(async () => {
      await pause(30);
      return says('at last');
    }),
  });
  let left: PromiseLike<unknown> | undefined;
  const solve = withAuditor(async (_task: string) => {
    left = slow.generate({ prompt: 'go' });
    return 'early';
  }, runtime);
  expect(await solve('go')).toBe('early');
  expect(outcomes()).toEqual([]);
  await left;
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
  expect(told()).toEqual(['user, user: go', 'slow, agent: at last']);
});

test('what a function returns waits for the verdicts so far, though another agent is at work', async () => {
  const { runtime } = watched({ auditor: strict(() => pause(20)), gating: 'overlap' });
  const answer = (words: string, ms = 0) =>
    new ToolLoopAgent({
      model: scriptedLanguageModel(async () => {
        await pause(ms);
        return says(words);
      }),
    }).generate({ prompt: 'go' });
  const solve = withAuditor(
    async (_task: string) => {
      void answer('fine', 150).catch(() => {});
      return (await answer('wrong')).text;
    },
    runtime,
    { audit: 'overlap' },
  );
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
});

test('a generator is refused: its code would run outside the run', () => {
  const { runtime } = watched();
  async function* chat() {
    yield 1;
  }
  expect(() => withAuditor(chat, runtime)).toThrow(SetupError);
  expect(() => withAuditor(chat, runtime)).toThrow(/generator/);
});
