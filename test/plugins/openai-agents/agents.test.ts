import { Agent, type ModelRequest, Runner, tool } from '@openai/agents';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, isAnswered, noting, replying, watched } from './audited.js';
import { calls, type Output, ReplyingModel, says, thinks } from './replying-model.js';

const adder = (ran: string[] = []) =>
  replying(
    'adder',
    (request) =>
      isAnswered(request) ? says('It is 40.') : [...thinks('add them'), ...calls('add', { a: 17, b: 23 })],
    {
      tools: [
        tool({
          name: 'add',
          description: 'adds',
          parameters: z.object({ a: z.number(), b: z.number() }),
          execute: async ({ a, b }) => {
            ran.push('add');
            return String(a + b);
          },
        }),
      ],
    },
  );

/** An agent whose tool is another. */
const asking = (name: string, inner: Agent, as = `ask_${inner.name}`) =>
  replying(
    name,
    (request) =>
      isAnswered(request) ? says(`${name} is done`) : calls(as, { input: 'what?' }, `${name}-asks`),
    { tools: [inner.asTool({ toolName: as, toolDescription: 'asks' })] },
  );

test('an agent’s thought, words, calls, tools and tokens are told under its name', async () => {
  const { runtime, turns, of } = watched();
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(adder(), '17 + 23?');
  expect(finalOutput).toBe('It is 40.');
  expect(turns()).toMatchObject([
    { agent: 'user', kind: 'user', content: '17 + 23?' },
    {
      agent: 'adder',
      thought: 'add them',
      toolCalls: [{ id: 'add-call', name: 'add', args: { a: 17, b: 23 } }],
      usage: { inputTokens: 11, outputTokens: 7 },
    },
    { agent: 'adder', kind: 'tool', toolName: 'add', toolCallId: 'add-call', content: '40' },
    { agent: 'adder', kind: 'agent', content: 'It is 40.' },
  ]);
  expect(of('run')).toMatchObject([
    { framework: 'openai-agents', tools: [{ name: 'add', description: 'adds' }] },
  ]);
});

test('a handoff names whom it passes control to; its answer belongs to the agent that made it', async () => {
  const { runtime, turns, outcomes } = watched();
  const billing = replying('Billing', 'It is paid.');
  const triage = replying('Triage', () => calls('transfer_to_Billing'), { handoffs: [billing] });
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(triage, 'my bill?');
  expect(finalOutput).toBe('It is paid.');
  expect(turns()).toMatchObject([
    { agent: 'user' },
    { agent: 'Triage', kind: 'agent', handoffTo: 'Billing', toolCalls: [{ name: 'transfer_to_Billing' }] },
    {
      agent: 'Triage',
      kind: 'tool',
      toolName: 'transfer_to_Billing',
      content: expect.stringContaining('Billing'),
    },
    { agent: 'Billing', kind: 'agent', content: 'It is paid.' },
  ]);
  expect(turns()[3]?.handoffTo).toBeUndefined();
  expect(outcomes()).toEqual(['completed']);
});

test('after a handoff, tools of the new agent are its own, and it can hand back', async () => {
  const { runtime, told } = watched();
  const clerk: Agent = replying('clerk', (request) => {
    const { input } = request;
    const last = Array.isArray(input) ? input.at(-1) : undefined;
    return last?.type === 'function_call_result' && last.name === 'look'
      ? calls('transfer_to_boss', {}, 'back')
      : calls('look');
  });
  let asked = 0;
  const boss: Agent = replying('boss', () =>
    asked++ === 0 ? calls('transfer_to_clerk', {}, 'there') : says('all is well'),
  );
  boss.handoffs = [clerk];
  clerk.handoffs = [boss];
  clerk.tools = [noting([], 'look')];
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(told().map((line) => line.replace(/ \{.*/, ''))).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool:',
    'clerk, agent: ',
    'clerk, tool: look done',
    'clerk, agent: ',
    'clerk, tool:',
    'boss, agent: all is well',
  ]);
});

test('agents as tools, two levels deep, stand in the run of the outermost', async () => {
  const { runtime, told, of } = watched();
  const boss = asking('boss', asking('chief', replying('clerk', 'because')));
  await withAuditor(bareRunner(), runtime).run(boss, 'why?');
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

test('an agent that a tool’s code runs, by a runner of its own, belongs to the run', async () => {
  const { runtime, told, of } = watched();
  const inner = replying('clerk', 'because');
  const boss = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('ask')), {
    tools: [noting([], 'ask', async () => (await bareRunner().run(inner, 'what?')).finalOutput)],
  });
  await withAuditor(bareRunner(), runtime).run(boss, 'why?');
  expect(told()).toEqual([
    'user, user: why?',
    'boss, agent: ',
    'clerk, agent: because',
    'boss, tool: because',
    'boss, agent: done',
  ]);
  expect(of('run')).toHaveLength(1);
});

test('agents that one response calls side by side are lanes of one step', async () => {
  const { runtime, turns } = watched();
  const [one, two] = [replying('one', 'one speaks'), replying('two', 'two speaks')];
  const boss = replying(
    'boss',
    (request) =>
      isAnswered(request)
        ? says('done')
        : [...calls('ask_one', { input: 'go' }), ...calls('ask_two', { input: 'go' })],
    {
      tools: [one, two].map((inner) => inner.asTool({ toolName: `ask_${inner.name}`, toolDescription: '' })),
    },
  );
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  const lanes = turns().filter(({ agent }) => agent === 'one' || agent === 'two');
  expect(lanes.map(({ agent, path }) => [agent, path.at(-1)])).toEqual([
    ['one', { step: 1, lane: 'call/000000' }],
    ['two', { step: 1, lane: 'call/000001' }],
  ]);
});

test('tools that one response calls side by side answer in the order of the calls', async () => {
  const { runtime, told } = watched();
  const slow = noting([], 'slow', () => new Promise((done) => setTimeout(done, 20, 'slow done')));
  const boss = replying(
    'boss',
    (request) => (isAnswered(request) ? says('done') : [...calls('slow'), ...calls('quick')]),
    { tools: [slow, noting([], 'quick')] },
  );
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: slow done',
    'boss, tool: quick done',
    'boss, agent: done',
  ]);
});

test('a tool’s error is told as one', async () => {
  const { runtime, turns } = watched();
  const fails = noting([], 'fails', () => {
    throw new Error('no such file');
  });
  const boss = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('fails')), {
    tools: [fails],
  });
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(turns()[2]).toMatchObject({
    kind: 'tool',
    isError: true,
    content: expect.stringMatching(/^An error occurred while running the tool/),
  });
});

test('a call that the model has spelt wrong is told with the fault, and as the SDK takes it', async () => {
  const { runtime, turns } = watched();
  const garbled: Output = [
    { type: 'function_call', callId: 'c', name: 'look', status: 'completed', arguments: '{"a":' },
  ];
  const boss = replying('boss', (request) => (isAnswered(request) ? says('done') : garbled), {
    tools: [noting([], 'look')],
  });
  await withAuditor(bareRunner(), runtime).run(boss, 'go');
  expect(turns()[1]).toMatchObject({
    toolCalls: [{ name: 'look', args: '{"a":', error: expect.any(String) }],
  });
  expect(turns()[2]).toMatchObject({ kind: 'tool', toolCallId: 'c', isError: true });
});

test('what a tool at the provider was asked and gave stands beside what the model said of it', async () => {
  const { runtime, turns } = watched();
  const searched: Output = [
    { type: 'hosted_tool_call', id: 'ws', name: 'web_search_call', status: 'completed', output: '3 pages' },
    ...says('I found it.'),
  ];
  await withAuditor(bareRunner(), runtime).run(
    replying('boss', () => searched),
    'go',
  );
  expect(turns()).toMatchObject([
    { agent: 'user' },
    { agent: 'boss', content: 'I found it.', toolCalls: [{ id: 'ws', name: 'web_search' }] },
    { agent: 'boss', kind: 'tool', toolCallId: 'ws', toolName: 'web_search', content: '3 pages' },
  ]);
});

test('structured output is told as the model wrote it, and given as the schema has it', async () => {
  const { runtime, told } = watched();
  const agent = new Agent({
    name: 'solver',
    model: new ReplyingModel(() => says('{"sum":40}')),
    outputType: z.object({ sum: z.number() }),
  });
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect(finalOutput).toEqual({ sum: 40 });
  expect(told()).toEqual(['user, user: go', 'solver, agent: {"sum":40}']);
});

test('the conversation before the user’s newest word is given, with its calls', async () => {
  const { runtime, turns, of } = watched();
  await withAuditor(bareRunner(), runtime).run(adder(), [
    { role: 'user', content: 'hello' },
    ...says('hi'),
    ...calls('look', { at: 'it' }, 'old'),
    { type: 'function_call_result', callId: 'old', name: 'look', status: 'completed', output: 'seen' },
    { role: 'user', content: '17 + 23?' },
  ]);
  expect(of('run')).toMatchObject([{ task: '17 + 23?' }]);
  const given = turns().filter((turn) => turn.given);
  expect(given.map(({ agent, kind, content }) => [agent, kind, content])).toEqual([
    ['user', 'user', 'hello'],
    ['assistant', 'agent', 'hi'],
    ['assistant', 'agent', ''],
    ['assistant', 'tool', 'seen'],
    ['user', 'user', '17 + 23?'],
  ]);
  expect(given[3]).toMatchObject({ toolName: 'look', toolCallId: 'old' });
});

test('instructions are nobody’s turn', async () => {
  const { runtime, turns } = watched();
  const secret = replying('boss', 'done', { instructions: 'never tell: swordfish' });
  await withAuditor(bareRunner(), runtime).run(secret, 'go');
  expect(JSON.stringify(turns())).not.toContain('swordfish');
});

test('a model that the runner has, and one that its provider gives by name, are heard', async () => {
  for (const config of [
    { model: new ReplyingModel(() => says('heard')) },
    { modelProvider: { getModel: async () => new ReplyingModel(() => says('heard')) } },
    { modelProvider: { getModel: () => new ReplyingModel(() => says('heard')) } },
  ]) {
    const { runtime, told, faults } = watched();
    const runner = withAuditor(new Runner({ ...config, tracingDisabled: true }), runtime);
    await runner.run(new Agent({ name: 'plain' }), 'go');
    expect(told()).toEqual(['user, user: go', 'plain, agent: heard']);
    expect(faults).toEqual([]);
  }
});

test('a model that asks another in turn is one voice', async () => {
  const { runtime, told } = watched();
  const inner = new ReplyingModel(() => says('inner words'));
  class Wrapping extends ReplyingModel {
    override getResponse(request: ModelRequest) {
      return inner.getResponse(request);
    }
  }
  const model = new Wrapping(() => says('never'));
  await withAuditor(bareRunner(), runtime).run(new Agent({ name: 'a', model }), 'go');
  await withAuditor(bareRunner(), runtime).run(new Agent({ name: 'b', model: inner }), 'go');
  expect(told().filter((line) => line.startsWith('a'))).toEqual(['a, agent: inner words']);
});
