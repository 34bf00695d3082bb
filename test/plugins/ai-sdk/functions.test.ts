import { setTimeout as pause } from 'node:timers/promises';
import { generateText, streamText, ToolLoopAgent } from 'ai';
import { expect, test, vi } from 'vitest';
import { AuditHalt, SetupError } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel, taskIn } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

const agent = (id: string, words = `${id} speaks`) =>
  new ToolLoopAgent({
    telemetry: { functionId: id },
    onError: () => {},
    model: scriptedLanguageModel(() => says(words)),
  });
const echo = scriptedLanguageModel((prompt) => says(`heard ${taskIn(prompt)}`));

test('generateText is hooked as it is; the model’s id names who has no other name', async () => {
  const { runtime, told } = watched();
  const { text } = await withAuditor(generateText, runtime)({ model: echo, prompt: 'hello' });
  expect(text).toBe('heard hello');
  expect(told()).toEqual(['user, user: hello', 'scripted, agent: heard hello']);
});

test('all that a function calls is one run: its task is its argument, and what it asks agents is not told', async () => {
  const { runtime, told, of } = watched();
  const solve = withAuditor(async (task: string) => {
    const plan = await agent('planner').generate({ prompt: `plan ${task}` });
    const { text } = await generateText({
      model: echo,
      prompt: plan.text,
      telemetry: { functionId: 'solver' },
    });
    return text;
  }, runtime);
  expect(await solve('a party')).toBe('heard planner speaks');
  expect(told()).toEqual([
    'user, user: a party',
    'planner, agent: planner speaks',
    'solver, agent: heard planner speaks',
  ]);
  expect(of('run')).toHaveLength(1);
});

test('a function that catches the halt is halted at its end, and calls no later model', async () => {
  const { runtime } = watched({ auditor: strict() });
  const later = scriptedLanguageModel(() => says('fine'));
  const solve = withAuditor(async (_task: string) => {
    await agent('solver', 'wrong')
      .generate({ prompt: 'go' })
      .catch(() => {});
    await generateText({ model: later, prompt: 'go' }).catch(() => {});
    return 'all well';
  }, runtime);
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
  expect(later.doGenerateCalls).toEqual([]);
});

test('a function that wraps the halt in an error of its own is halted all the same; its error is the cause', async () => {
  const { runtime } = watched({ auditor: strict() });
  const solve = withAuditor(async (_task: string) => {
    await agent('solver', 'wrong')
      .generate({ prompt: 'go' })
      .catch((error) => {
        throw new Error('no luck', { cause: error });
      });
  }, runtime);
  const error = await errorOf(solve('go'));
  expect(error).toBeInstanceOf(AuditHalt);
  expect(error).toMatchObject({ cause: { message: 'no luck' } });
});

test('a function may return a stream that still flows: the run ends with it', async () => {
  const { runtime, told, outcomes } = watched();
  const answer = withAuditor(async (task: string) => streamText({ model: echo, prompt: task }), runtime);
  const result = await answer('hello');
  expect(outcomes()).toEqual([]);
  expect(await result.text).toBe('heard hello');
  expect(told()).toEqual(['user, user: hello', 'scripted, agent: heard hello']);
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
});

test.each([
  [{}, ['judged planner speaks', 'between']],
  [{ audit: 'overlap' as const }, ['between', 'judged planner speaks']],
])('gating overlap, %o: the function’s own code between two agents', async (options, order) => {
  const log: string[] = [];
  const auditor = {
    audit: async ({ prefix }: { prefix: { newest: { content: string } } }) => {
      await pause(20);
      log.push(`judged ${prefix.newest.content}`);
      return { kind: 'continue' as const };
    },
  };
  const { runtime } = watched({ auditor, gating: 'overlap' });
  const solve = withAuditor(
    async (_task: string) => {
      await agent('planner').generate({ prompt: 'plan' });
      log.push('between');
      await agent('solver').generate({ prompt: 'solve' });
    },
    runtime,
    options,
  );
  await solve('go');
  expect(log.slice(0, 2)).toEqual(order);
  expect(log).toContain('judged solver speaks');
});

test('what is neither an agent nor a function is refused at once', () => {
  const { runtime } = watched();
  expect(() => withAuditor({} as never, runtime)).toThrow(SetupError);
});
