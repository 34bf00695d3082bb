import { createRequire } from 'node:module';
import { generateText, registerTelemetry, type Telemetry, ToolLoopAgent } from 'ai';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
} from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, noting, strict, watched } from './audited.js';

// The lowest version that is supported hides nothing of a tool's end.
const hidesToolEnds = createRequire(import.meta.url)('ai/package.json').version !== '7.0.0';

const integration = (log: string[], name: string): Telemetry => ({
  onStart: () => void log.push(`${name} start`),
  onEnd: () => void log.push(`${name} end`),
});

const solver = (telemetry: NonNullable<ConstructorParameters<typeof ToolLoopAgent>[0]['telemetry']>) =>
  new ToolLoopAgent({
    id: 'solver',
    telemetry,
    model: scriptedLanguageModel((prompt) => (isAnswered(prompt) ? says('done') : calls('add', { a: 1 }))),
    tools: { add: noting([], 'add', () => '40') },
  });

const whole = ['user, user: go', 'solver, agent: ', 'solver, tool: 40', 'solver, agent: done'];

test('integrations of the agent’s own hear what they hear, and so do we; twice hooked, once', async () => {
  const log: string[] = [];
  const { runtime, told } = watched();
  const agent = solver({ integrations: integration(log, 'own') });
  await withAuditor(withAuditor(agent, runtime), runtime).generate({ prompt: 'go' });
  expect(told()).toEqual(whole);
  expect(log).toEqual(['own start', 'own end']);
});

test('telemetry that is switched off stays off for everybody else', async () => {
  const log: string[] = [];
  registerTelemetry(integration(log, 'global'));
  const { runtime, told } = watched();
  const agent = solver({ isEnabled: false, integrations: integration(log, 'own') });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(told()).toEqual(whole);
  expect(log).toEqual([]);
});

test.each(['telemetry', 'experimental_telemetry'])(
  'a function of the SDK’s that is given %s is seen',
  async (option) => {
    const { runtime, told } = watched();
    const options = {
      model: scriptedLanguageModel(() => says('hi')),
      prompt: 'go',
      [option]: { isEnabled: false },
    };
    await withAuditor(generateText, runtime)(options);
    expect(told()).toEqual(['user, user: go', 'scripted, agent: hi']);
  },
);

test('inputs that are hidden from telemetry hide neither the task nor tools’ answers from the auditor', async () => {
  const { runtime, told, of } = watched();
  await withAuditor(solver({ recordInputs: false }), runtime).generate({ prompt: 'go' });
  expect(told()).toEqual(whole);
  expect(of('run')[0]?.tools).toHaveLength(1);
});

test('outputs that are hidden are seen as the next model call has them; where none comes, the turn says so', async () => {
  const { runtime, told } = watched();
  await withAuditor(solver({ recordOutputs: false }), runtime).generate({ prompt: 'go' });
  expect(told()).toEqual(whole);
  const both = watched();
  await withAuditor(solver({ recordInputs: false, recordOutputs: false }), both.runtime).generate({
    prompt: 'go',
  });
  expect(both.told()[2]).toMatch(hidesToolEnds ? /^solver, tool: .*hidden from the auditor/ : /40$/);
});

test('an agent whose call nobody can see is reported, once its run is over', async () => {
  const { runtime, faults } = watched();
  const solve = withAuditor(
    async (_task: string) => (await solver({ isEnabled: false }).generate({ prompt: 'go' })).text,
    runtime,
  );
  expect(await solve('go')).toBe('done');
  expect(faults.map(({ code }) => code)).toEqual(['agent-not-hooked']);
});

test('a hooked agent inside such a function is seen', async () => {
  const { runtime, told, faults } = watched();
  const inner = withAuditor(solver({ isEnabled: false }), runtime);
  await withAuditor(async (_task: string) => inner.generate({ prompt: 'go' }), runtime)('go');
  expect([told(), faults]).toEqual([whole, []]);
});

test('a registry that somebody has emptied gets the tap again', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const twin = withAuditor(solver({}), runtime);
  globalThis.AI_SDK_TELEMETRY_INTEGRATIONS = [];
  await twin.generate({ prompt: 'go' });
  expect(told()).toEqual(whole);
});

test('maxRetries asks again for a model that fails, and not for a halted one', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  let asked = 0;
  const model = scriptedLanguageModel(() => {
    asked++;
    return says('wrong');
  });
  const error = await errorOf(withAuditor(generateText, runtime)({ model, prompt: 'go', maxRetries: 5 }));
  expect(error).toBeInstanceOf(AuditHalt);
  expect([asked, told().length]).toEqual([1, 2]);
});
