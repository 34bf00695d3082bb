import { isStepCount, jsonSchema, ToolLoopAgent, tool } from 'ai';
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

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

test('tools side by side are told in the order of their calls, whichever was quicker', async () => {
  const { runtime, told } = watched();
  const agent = new ToolLoopAgent({
    id: 'solver',
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says('done') : [...calls('slow', {}), ...calls('quick', {})],
    ),
    tools: { slow: noting([], 'slow', () => pause(20).then(() => 'slow')), quick: noting([], 'quick') },
  });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(told().slice(2, 4)).toEqual(['solver, tool: slow', 'solver, tool: quick done']);
});

test('an invalid call is told as one, and what the SDK answers as a tool’s error', async () => {
  const { runtime, turns } = watched();
  const agent = new ToolLoopAgent({
    id: 'solver',
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says('done') : [...calls('unknown', { a: 1 }), ...calls('add', '{"a":')],
    ),
    tools: { add: noting([], 'add') },
  });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(turns()[1]?.toolCalls).toMatchObject([
    { name: 'unknown', args: { a: 1 } },
    { name: 'add', args: '{"a":', error: 'the arguments are no JSON' },
  ]);
  expect(turns().slice(2, 4)).toMatchObject([
    { toolName: 'unknown', isError: true },
    { toolName: 'add', isError: true },
  ]);
});

test.each(['generate', 'stream'] as const)(
  '%s: the answer of a last step’s tool, which no model gets, is judged at the end',
  async (method) => {
    const { runtime, told } = watched({ auditor: strict() });
    const agent = new ToolLoopAgent({
      id: 'solver',
      model: scriptedLanguageModel(() => calls('add', {})),
      tools: { add: noting([], 'add', () => 'wrong') },
      stopWhen: isStepCount(1),
      onError: () => {},
    });
    const twin = withAuditor(agent, runtime);
    const error =
      method === 'generate'
        ? await errorOf(twin.generate({ prompt: 'go' }))
        : await errorOf((await twin.stream({ prompt: 'go' })).text);
    expect(error).toBeInstanceOf(AuditHalt);
    expect(told().at(-1)).toBe('solver, tool: wrong');
  },
);

test('what a provider’s own tool gave is told after the call that the same answer has', async () => {
  const { runtime, told } = watched();
  const search = [
    {
      type: 'tool-call' as const,
      toolCallId: 's',
      toolName: 'search',
      input: '{}',
      providerExecuted: true,
      dynamic: true,
    },
    {
      type: 'tool-result' as const,
      toolCallId: 's',
      toolName: 'search',
      result: { found: 2 },
      dynamic: true,
    },
    { type: 'text' as const, text: 'found two' },
  ];
  const agent = new ToolLoopAgent({ id: 'seeker', model: scriptedLanguageModel(() => search) });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  const streamed = await withAuditor(agent, runtime).stream({ prompt: 'go' });
  await streamed.text;
  const once = ['user, user: go', 'seeker, agent: found two', 'seeker, tool: {"found":2}'];
  expect(told()).toEqual([...once, ...once]);
});

test('answers that prepareStep puts words after, or takes out, are told all the same', async () => {
  const { runtime, told } = watched();
  const agent = new ToolLoopAgent({
    id: 'solver',
    model: scriptedLanguageModel((prompt) =>
      prompt.length > 1 || isAnswered(prompt) ? says('done') : calls('add', {}),
    ),
    tools: { add: noting([], 'add', () => '40') },
    prepareStep: ({ stepNumber }) =>
      stepNumber === 0
        ? {}
        : {
            messages: [
              { role: 'user', content: 'go on' },
              { role: 'user', content: 'please' },
            ],
          },
  });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(told()).toEqual(['user, user: go', 'solver, agent: ', 'solver, tool: 40', 'solver, agent: done']);
});

test('a tool’s answer is told as the model gets it; of pictures, what they are', async () => {
  const { runtime, told } = watched();
  const look = tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute: () => 'raw',
    toModelOutput: () => ({
      type: 'content',
      value: [
        { type: 'text', text: 'a cat' },
        { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      ],
    }),
  });
  const agent = new ToolLoopAgent({
    id: 'seer',
    model: scriptedLanguageModel((prompt) => (isAnswered(prompt) ? says('done') : calls('look', {}))),
    tools: { look },
  });
  await withAuditor(agent, runtime).generate({ prompt: 'go' });
  expect(told()[2]).toBe('seer, tool: a cat\n[image/png]');
});
