import { createRequire } from 'node:module';
import type * as Sdk from '@openai/agents';
import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { errorOf, isAnswered, strict, watched } from './audited.js';
import { calls, ReplyingModel, says } from './replying-model.js';

/** The SDK as CommonJS code loads it: every class is another one. */
const sdk: typeof Sdk = createRequire(import.meta.url)('@openai/agents');

const working = (ran: string[], name = 'send', needsApproval = false) =>
  new sdk.Agent({
    name: 'boss',
    model: new ReplyingModel((request) => (isAnswered(request) ? says('done') : calls(name))),
    tools: [
      sdk.tool({
        name,
        description: 'sends',
        parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
        strict: false,
        needsApproval,
        execute: async () => {
          ran.push(name);
          return 'sent';
        },
      }),
    ],
  });

test('a runner of the SDK’s CommonJS copy is halted like any other, and so are agents in its tools', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const ran: string[] = [];
  const boss = new sdk.Agent({
    name: 'outer',
    model: new ReplyingModel(() => calls('ask', { input: '?' })),
    tools: [working(ran, 'wrong').asTool({ toolName: 'ask', toolDescription: 'asks' })],
  });
  const twin = withAuditor(new sdk.Runner({ tracingDisabled: true }), runtime);
  expect(twin).toBeInstanceOf(sdk.Runner);
  expect(await errorOf(twin.run(boss, 'go'))).toBeInstanceOf(AuditHalt);
  expect(ran).toEqual([]);
  expect(told()).toEqual(['user, user: go', 'outer, agent: ', 'boss, agent: ']);
});

test('its state takes a run up', async () => {
  const { runtime, of, outcomes, told } = watched();
  const ran: string[] = [];
  const agent = working(ran, 'send', true);
  const twin = withAuditor(new sdk.Runner({ tracingDisabled: true }), runtime);
  const first = await twin.run(agent, 'go');
  for (const one of first.interruptions) first.state.approve(one);
  await twin.run(agent, first.state);
  expect(ran).toEqual(['send']);
  expect(outcomes()).toEqual(['interrupted', 'completed']);
  expect(told()).toEqual(['user, user: go', 'boss, agent: ', 'boss, tool: sent', 'boss, agent: done']);
  expect(of('run')[1]).toMatchObject({ continues: of('run')[0]?.runId });
});
