import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { expect, test, vi } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { adder, adding, lines } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

const asks = (name: string) => call(`agent-${name}`, { prompt: 'go' }, name);

/** An agent over a scout. */
function over(scout: ReturnType<typeof agentThat>, more: object = {}, ...calls: ReturnType<typeof call>[]) {
  const script = [{ calls: [asks('scout'), ...calls] }, { text: 'done' }];
  return agentThat('boss', script, { agents: { scout }, ...more });
}

test('the last tool’s answer of a sub-agent that may take no more steps is judged before its caller goes on', async () => {
  const { tools } = adding('wrong');
  const defaultOptions = { maxSteps: 1 };
  const boss = over(agentThat('scout', [{ calls: [call('add')] }], { tools, defaultOptions }));
  const audit = audited({ auditor: strict() });
  const result = await withAuditor(boss, audit.runtime).generate('go');
  expect(lines(audit)).toEqual(['*user user: go', 'boss agent: ', 'scout agent: ', 'scout tool: wrong']);
  expect(auditHalt(result)?.alarm).toMatchObject({ step: 3, agent: 'scout' });
  expect(boss.prompts).toHaveLength(1);
});

test.each([
  ['throws', () => Promise.reject(new Error('of the host’s own'))],
  ['asks for more than there may be', () => ({ continue: true })],
])(
  'an onIterationComplete that %s keeps no last answer from its verdict',
  async (_how, onIterationComplete) => {
    const { agent } = adder('fine', 'never', 'wrong');
    const twin = withAuditor(agent, audited({ auditor: strict() }).runtime);
    const result = await twin.generate('?', { maxSteps: 1, onIterationComplete });
    expect(isAuditorTripwire(result)).toBe(true);
  },
);

test('one that gives feedback has another step, though it says not to continue: that is judged, too', async () => {
  const { ran, tools } = adding();
  const script = [{ calls: [call('add', {}, 'one')] }, { text: 'wrong', calls: [call('add', {}, 'two')] }];
  const agent = agentThat('solver', script, { tools });
  const result = await withAuditor(agent, audited({ auditor: strict() }).runtime).generate('?', {
    maxSteps: 5,
    onIterationComplete: () => ({ continue: false, feedback: 'Look again' }),
  });
  expect(agent.prompts).toHaveLength(2);
  expect([ran, isAuditorTripwire(result)]).toEqual([['add'], true]);
});

test.each(['generate', 'stream'] as const)(
  'a bail after a delegation ends the run with its tools’ answers judged: %s',
  async (method) => {
    const boss = over(agentThat('scout', [{ text: 'scouted' }]), adding('wrong'), call('add'));
    const audit = audited({ auditor: strict() });
    const twin = withAuditor(boss, audit.runtime);
    const options = { delegation: { onDelegationComplete: ({ bail }: { bail(): void }) => bail() } };
    const result =
      method === 'generate' ? await twin.generate('go', options) : await twin.stream('go', options);
    if ('consumeStream' in result) await result.consumeStream();
    expect(boss.prompts).toHaveLength(1);
    expect(lines(audit).slice(-2)).toEqual(['boss tool: scouted', 'boss tool: wrong']);
    expect(isAuditorTripwire(result)).toBe(true);
  },
);

test('a bail that its own hook takes back by throwing ends nothing', async () => {
  const boss = over(agentThat('scout', [{ text: 'scouted' }]));
  const audit = audited();
  await withAuditor(boss, audit.runtime).generate('go', {
    delegation: {
      onDelegationComplete: ({ bail }) => {
        bail();
        throw new Error('of the host’s own');
      },
    },
  });
  expect(lines(audit).at(-1)).toBe('boss agent: done');
});

test.each(['generate', 'stream'] as const)(
  'a run that is taken up, and ends with the approved tool, is judged: %s',
  async (method) => {
    const { ran, agent } = adder('fine', 'never', 'wrong');
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const audit = audited({ auditor: strict() });
    const twin = withAuditor(agent, audit.runtime);
    const { runId = '' } = await twin.generate('?', { requireToolApproval: true, maxSteps: 1 });
    const options = { runId, toolCallId: 'add-1', maxSteps: 1 };
    const result =
      method === 'generate'
        ? await twin.approveToolCallGenerate(options)
        : await twin.approveToolCall(options);
    if ('consumeStream' in result) await result.consumeStream();
    expect([ran, agent.prompts.length]).toEqual([['add'], 1]);
    expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: fine', 'solver tool: wrong']);
    expect(isAuditorTripwire(result)).toBe(true);
  },
);
