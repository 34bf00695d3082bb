import { type ModelMessage, ToolLoopAgent } from 'ai';
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

/** Its tool runs when a human has agreed. */
function clerk(ran: string[], paid = 'paid') {
  return new ToolLoopAgent({
    id: 'clerk',
    onError: () => {},
    model: scriptedLanguageModel((prompt) =>
      isAnswered(prompt) ? says('done') : calls('pay', { sum: 5 }, 'pay-1'),
    ),
    tools: { pay: noting(ran, 'pay', () => paid) },
    toolApproval: { pay: 'user-approval' },
  });
}

/** The conversation, and the human's word on what was asked last. */
function answered(
  asked: readonly ModelMessage[],
  content: readonly { type: string; approvalId?: string }[],
  approved: boolean,
) {
  const request = content.find(({ type }) => type === 'tool-approval-request');
  const response = {
    type: 'tool-approval-response' as const,
    approvalId: request?.approvalId ?? '',
    approved,
  };
  const messages: ModelMessage[] = [
    { role: 'user', content: 'pay it' },
    ...asked,
    { role: 'tool', content: [response] },
  ];
  return { messages };
}

test.each(['generate', 'stream'] as const)(
  '%s: who approves takes the run up, and nothing is told twice',
  async (method) => {
    const { runtime, told, of, outcomes } = watched();
    const ran: string[] = [];
    const twin = withAuditor(clerk(ran), runtime);
    const first = await twin[method]({ prompt: 'pay it' });
    const { messages } = await first.response;
    const next = answered(messages, await first.content, true);
    expect([ran, outcomes()]).toEqual([[], ['interrupted']]);
    const second = await twin[method](next);
    expect(await second.text).toBe('done');
    expect(ran).toEqual(['pay']);
    expect(told()).toEqual([
      'user, user: pay it',
      'clerk, agent: ',
      'clerk, tool: paid',
      'clerk, agent: done',
    ]);
    const [asked, taken] = of('run');
    expect(taken).toMatchObject({ task: 'pay it', continues: asked?.runId });
  },
);

test('what is denied is told as the tool’s error', async () => {
  const { runtime, turns } = watched();
  const twin = withAuditor(clerk([]), runtime);
  const first = await twin.generate({ prompt: 'pay it' });
  await twin.generate(answered(first.response.messages, first.content, false));
  expect(turns()[2]).toMatchObject({ kind: 'tool', toolName: 'pay', isError: true });
});

test('the approved tool’s answer is judged before a model gets it', async () => {
  const { runtime } = watched({ auditor: strict() });
  const twin = withAuditor(clerk([], 'wrong'), runtime);
  const first = await twin.generate({ prompt: 'pay it' });
  const error = await errorOf(twin.generate(answered(first.response.messages, first.content, true)));
  expect(error).toBeInstanceOf(AuditHalt);
  expect(error).toMatchObject({ alarm: { agent: 'clerk', step: 2 } });
});

test('a function that asks its human itself is one run', async () => {
  const { runtime, told, of, outcomes } = watched();
  const agent = clerk([]);
  const pay = withAuditor(async (task: string) => {
    const first = await agent.generate({ prompt: task });
    return (await agent.generate(answered(first.response.messages, first.content, true))).text;
  }, runtime);
  await pay('pay it');
  expect(told()).toContain('scripted, tool: paid');
  expect([of('run').length, outcomes()]).toEqual([1, ['completed']]);
});
