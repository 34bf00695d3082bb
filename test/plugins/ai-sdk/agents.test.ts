import {
  type Agent,
  createAgentUIStreamResponse,
  generateText,
  jsonSchema,
  streamText,
  ToolLoopAgent,
  tool,
} from 'ai';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { AuditHaltError, withAuditor } from '../../../plugins/ai-sdk/index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
  thinks,
} from '../../contract/harnesses/scripted-language-model.js';
import { errorOf, noting, strict, watched } from './audited.js';

const adder = (ran: string[] = []) =>
  new ToolLoopAgent({
    id: 'adder',
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says('It is 40.') : [...thinks('add them'), ...calls('add', { a: 17, b: 23 })],
    ),
    tools: { add: noting(ran, 'add', () => '40') },
  });

/** An agent whose tool asks another. */
const asking = (
  id: string,
  inner: { generate(options: { prompt: string }): PromiseLike<{ text: string }> },
) =>
  new ToolLoopAgent({
    id,
    telemetry: { functionId: id },
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says(`${id} is done`) : calls('ask', { q: 'what?' }, `${id}-asks`),
    ),
    tools: {
      ask: tool({
        inputSchema: jsonSchema<{ q: string }>({ type: 'object' }),
        execute: async ({ q }) => (await inner.generate({ prompt: q })).text,
      }),
    },
  });

const speaker = (functionId: string, words: string) =>
  new ToolLoopAgent({ telemetry: { functionId }, model: scriptedLanguageModel(() => says(words)) });

test('an agent’s thought, words, calls, tools and tokens are told under its id', async () => {
  const { runtime, turns, of } = watched();
  const { text } = await withAuditor(adder(), runtime).generate({ prompt: '17 + 23?' });
  expect(text).toBe('It is 40.');
  expect(turns()).toMatchObject([
    { agent: 'user', kind: 'user', content: '17 + 23?' },
    {
      agent: 'adder',
      thought: 'add them',
      toolCalls: [{ id: 'add-call', name: 'add', args: { a: 17, b: 23 } }],
      usage: { inputTokens: 11, outputTokens: 7, cachedInputTokens: 3 },
    },
    { agent: 'adder', kind: 'tool', toolName: 'add', toolCallId: 'add-call', content: '40' },
    { agent: 'adder', kind: 'agent', content: 'It is 40.' },
  ]);
  expect(of('run')).toMatchObject([
    { framework: 'ai-sdk', tools: [{ name: 'add', description: 'does add' }] },
  ]);
});

test('the twin is of the host’s class, and has its id and tools; the host stays bare', async () => {
  const { runtime, turns } = watched();
  const host = adder();
  const twin = withAuditor(host, runtime);
  expect(twin).toBeInstanceOf(ToolLoopAgent);
  expect([twin.id, twin.tools]).toEqual([host.id, host.tools]);
  await host.generate({ prompt: 'go' });
  expect(turns()).toEqual([]);
});

test('agents in tools, two levels deep, stand in the run of the outermost', async () => {
  const { runtime, told, of } = watched();
  const boss = withAuditor(asking('boss', asking('chief', speaker('clerk', 'because'))), runtime);
  await boss.generate({ prompt: 'why?' });
  expect(told()).toEqual([
    'user, user: why?',
    'boss, agent: ',
    'chief, agent: ',
    'clerk, agent: because',
    'chief, tool: because',
    'chief, agent: chief is done',
    'boss, tool: chief is done',
    'boss, agent: boss is done',
  ]);
  expect(of('run')).toHaveLength(1);
});

test('an inner agent that is hooked, too, joins the run under its own id', async () => {
  const { runtime, turns, of } = watched();
  const inner = new ToolLoopAgent({ id: 'clerk', model: scriptedLanguageModel(() => says('because')) });
  await withAuditor(asking('boss', withAuditor(inner, runtime)), runtime).generate({ prompt: 'why?' });
  expect(turns().map(({ agent }) => agent)).toEqual(['user', 'boss', 'clerk', 'boss', 'boss']);
  expect(of('run')).toHaveLength(1);
});

test('an alarm two levels down rejects the outermost call, though the SDK makes it a tool’s error', async () => {
  const { runtime, told, outcomes } = watched({ auditor: strict() });
  const boss = withAuditor(asking('boss', asking('chief', speaker('clerk', 'wrong'))), runtime);
  const error = await errorOf(boss.generate({ prompt: 'why?' }));
  expect(error).toBeInstanceOf(AuditHalt);
  expect(AuditHaltError.isInstance(error) && error.alarm).toMatchObject({ agent: 'clerk', step: 3 });
  expect(told().at(-1)).toBe('clerk, agent: wrong');
  expect(outcomes()).toEqual(['halted']);
});

test('agents side by side in tools are lanes of one step', async () => {
  const { runtime, turns } = watched();
  const ask = (name: string) =>
    tool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: async () => (await speaker(name, `${name} speaks`).generate({ prompt: 'go' })).text,
    });
  const boss = new ToolLoopAgent({
    id: 'boss',
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says('done') : [...calls('one', {}), ...calls('two', {})],
    ),
    tools: { one: ask('one'), two: ask('two') },
  });
  await withAuditor(boss, runtime).generate({ prompt: 'go' });
  const lanes = turns().filter(({ agent }) => agent === 'one' || agent === 'two');
  expect(lanes.map(({ agent, path }) => [agent, path.at(-1)])).toEqual([
    ['one', { step: 1, lane: 'call/000000' }],
    ['two', { step: 1, lane: 'call/000001' }],
  ]);
});

test('the messages before the user’s newest word are given, with their calls; the system’s are nobody’s', async () => {
  const { runtime, turns, of } = watched();
  await withAuditor(adder(), runtime).generate({
    messages: [
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'tool-call', toolCallId: 'old', toolName: 'look', input: { at: 'it' } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'old', toolName: 'look', output: { type: 'json', value: [1] } },
        ],
      },
      { role: 'user', content: [{ type: 'text', text: '17 + 23?' }] },
    ],
  });
  expect(of('run')[0]?.task).toBe('17 + 23?');
  expect(turns().map(({ agent, content, given }) => [agent, content, given === true])).toEqual([
    ['user', 'hello', true],
    ['assistant', 'hi', true],
    ['assistant', '[1]', true],
    ['user', '17 + 23?', true],
    ['adder', '', false],
    ['adder', '40', false],
    ['adder', 'It is 40.', false],
  ]);
});

test('an agent of the user’s own class keeps its private parts, and its other methods', async () => {
  class Echo implements Agent {
    readonly version = 'agent-v1';
    readonly #model = scriptedLanguageModel(() => says('echo'));
    readonly tools = {};
    get id() {
      return `echo of ${this.#model.modelId}`;
    }
    generate({ prompt }: Parameters<Agent['generate']>[0]) {
      return generateText({ model: this.#model, prompt: prompt ?? '' });
    }
    async stream({ prompt }: Parameters<Agent['stream']>[0]) {
      return streamText({ model: this.#model, prompt: prompt ?? '' });
    }
    async ask(prompt: string) {
      return (await this.generate({ prompt })).text;
    }
  }
  const { runtime, told } = watched();
  const twin = withAuditor(new Echo(), runtime);
  expect(twin.id).toBe('echo of scripted');
  expect(await twin.ask('hello')).toBe('echo');
  expect(await (await twin.stream({ prompt: 'again' })).text).toBe('echo');
  expect(told()).toEqual([
    'user, user: hello',
    'echo of scripted, agent: echo',
    'user, user: again',
    'echo of scripted, agent: echo',
  ]);
});

test('an agent behind a chat’s endpoint: the response has the halt as an error part', async () => {
  const { runtime, of } = watched({ auditor: strict() });
  const model = scriptedLanguageModel(() => says('wrong'));
  const agent = withAuditor(new ToolLoopAgent({ id: 'solver', model, onError: () => {} }), runtime);
  const response = await createAgentUIStreamResponse({
    agent,
    uiMessages: [{ id: '1', role: 'user', parts: [{ type: 'text', text: 'hello' }] }],
    onError: (error) => (error instanceof AuditHalt ? error.message : 'An error occurred.'),
  });
  expect(await response.text()).toContain(
    '{"type":"error","errorText":"audit alarm at step 1 (solver): it is wrong"}',
  );
  expect(of('run')[0]?.task).toBe('hello');
});
