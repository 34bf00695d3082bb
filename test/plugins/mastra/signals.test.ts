import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { adding, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

test('a message that is sent into a thread wakes an audited agent, and is its task', async () => {
  const { ran, tools } = adding();
  const script = [{ text: 'fine' }, { text: 'wrong', calls: [call('add')] }, { text: 'never' }];
  const agent = agentThat('solver', script, { tools, memory: new MockMemory() });
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const audit = audited({ auditor: strict() });
  const twin = withAuditor(agent, audit.runtime);
  await twin.sendMessage('first', { threadId: 'one', resourceId: 'me' }).accepted;
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed']));
  await twin.sendMessage('second', { threadId: 'two', resourceId: 'me' }).accepted;
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed', 'halted']));
  expect(lines(audit)).toEqual([
    '*user user: first',
    'solver agent: fine',
    '*user user: second',
    'solver agent: wrong',
  ]);
  expect(audit.of('run').map(({ task }) => task)).toEqual(['first', 'second']);
  expect([ran, agent.prompts.length]).toEqual([[], 2]);
});
