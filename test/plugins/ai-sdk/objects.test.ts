import { generateObject, jsonSchema, Output, streamObject, ToolLoopAgent } from 'ai';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { says, scriptedLanguageModel } from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, strict, watched } from './audited.js';

const schema = jsonSchema<{ sum: number }>({ type: 'object', properties: { sum: { type: 'number' } } });
const model = (words = '{"sum":40}') => scriptedLanguageModel(() => says(words));

test('structured output is told as the JSON that the model wrote, and halted as any answer', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const agent = new ToolLoopAgent({ id: 'adder', model: model(), output: Output.object({ schema }) });
  const { output } = await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(output.sum).toBe(40);
  expect(told()).toEqual(['user, user: go', 'adder, agent: {"sum":40}']);
  const wrong = new ToolLoopAgent({
    id: 'adder',
    model: model('{"wrong":1}'),
    output: Output.object({ schema }),
  });
  expect(await errorOf(withAuditor(wrong, runtime).generate({ prompt: 'go' }))).toBeInstanceOf(AuditHalt);
  const { output: streamed } = await withAuditor(
    new ToolLoopAgent({ model: model('{"wrong":1}'), output: Output.object({ schema }), onError: () => {} }),
    runtime,
  ).stream({ prompt: 'go' });
  expect(await errorOf(streamed)).toBeInstanceOf(AuditHalt);
});

test('generateObject is told, and rejects with the halt', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const generate = withAuditor(generateObject, runtime);
  expect((await generate({ model: model(), schema, prompt: 'go' })).object).toEqual({ sum: 40 });
  expect(told()).toEqual(['user, user: go', 'scripted, agent: {"sum":40}']);
  expect(await errorOf(generate({ model: model('{"wrong":1}'), schema, prompt: 'go' }))).toBeInstanceOf(
    AuditHalt,
  );
});

test('a function that asks for an object is halted at the next model call, or its own end', async () => {
  const { runtime } = watched({ auditor: strict() });
  const solve = withAuditor(
    async (_task: string) => generateObject({ model: model('{"wrong":1}'), schema, prompt: 'go' }),
    runtime,
  );
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
});

test('streamObject is told; its run ends with its stream', async () => {
  const { runtime, told, outcomes } = watched();
  const result = withAuditor(streamObject, runtime)({ model: model(), schema, prompt: 'go' });
  const parts = await Array.fromAsync(result.partialObjectStream);
  expect(parts.at(-1)).toEqual({ sum: 40 });
  await vi.waitFor(() => expect(outcomes()).toEqual(['completed']));
  expect(told()).toEqual(['user, user: go', 'scripted, agent: {"sum":40}']);
});

test('streamObject has no hook before its end: the alarm is in the log, and the next call of its run is halted', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const later = scriptedLanguageModel(() => says('fine'));
  const solve = withAuditor(async (_task: string) => {
    const { partialObjectStream } = streamObject({ model: model('{"wrong":1}'), schema, prompt: 'go' });
    await Array.fromAsync(partialObjectStream);
    return (await new ToolLoopAgent({ model: later }).generate({ prompt: 'on' })).text;
  }, runtime);
  expect(await errorOf(solve('go'))).toBeInstanceOf(AuditHalt);
  expect(later.doGenerateCalls).toEqual([]);
  expect(outcomes()).toEqual(['halted']);
});

test('a hooked streamObject whose object is wrong is a halted run in the log, though its stream has ended', async () => {
  const { runtime, outcomes, of } = watched({ auditor: strict() });
  const result = withAuditor(streamObject, runtime)({ model: model('{"wrong":1}'), schema, prompt: 'go' });
  await Array.fromAsync(result.partialObjectStream);
  await vi.waitFor(() => expect(outcomes()).toEqual(['halted']));
  expect(of('verdict').at(-1)).toMatchObject({ verdict: { kind: 'alarm' }, enforced: 'halt' });
});
