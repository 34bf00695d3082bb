import { jsonSchema, ToolLoopAgent, tool } from 'ai';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
} from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

const agent = (id: string, words: string) =>
  new ToolLoopAgent({ id, telemetry: { functionId: id }, model: scriptedLanguageModel(() => says(words)) });

test('within a run, what is hooked with another runtime is a run of that one; the outer one says what it misses', async () => {
  const outer = watched();
  const inner = watched({ auditor: strict() });
  const part = withAuditor(agent('inner', 'wrong'), inner.runtime);
  const whole = withAuditor(async (_task: string) => {
    await agent('outer', 'fine').generate({ prompt: 'go' });
    return (await part.generate({ prompt: 'part' })).text;
  }, outer.runtime);
  expect(await errorOf(whole('go'))).toBeInstanceOf(AuditHalt);
  expect(outer.told()).toEqual(['user, user: go', 'outer, agent: fine']);
  expect(inner.told()).toEqual(['user, user: part', 'inner, agent: wrong']);
  expect(inner.outcomes()).toEqual(['halted']);
  expect(outer.faults).toMatchObject([
    { code: 'agent-not-hooked', message: expect.stringContaining('another runtime') },
  ]);
  expect(inner.faults).toEqual([]);
});

test('an agent hooked with two runtimes is audited by the inner one, and the outer one says so, once', async () => {
  const [outer, inner] = [watched(), watched()];
  const twin = withAuditor(withAuditor(agent('boss', 'done'), inner.runtime), outer.runtime);
  await twin.generate({ prompt: 'go' });
  expect(inner.told()).toEqual(['user, user: go', 'boss, agent: done']);
  expect(outer.faults).toMatchObject([{ code: 'agent-not-hooked' }]);
});

test('the halt of another runtime’s run is a tool’s error like any other', async () => {
  const outer = watched();
  const inner = watched({ auditor: strict() });
  const part = withAuditor(agent('inner', 'wrong'), inner.runtime);
  const boss = new ToolLoopAgent({
    id: 'boss',
    model: scriptedLanguageModel((prompt) => (isAnswered(prompt) ? says('it failed') : calls('ask', {}))),
    tools: {
      ask: tool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: async () => (await part.generate({ prompt: 'part' })).text,
      }),
    },
  });
  const { text } = await withAuditor(boss, outer.runtime).generate({ prompt: 'go' });
  expect(text).toBe('it failed');
  expect(outer.turns()[2]).toMatchObject({ kind: 'tool', toolName: 'ask', isError: true });
  expect(outer.outcomes()).toEqual(['completed']);
});
