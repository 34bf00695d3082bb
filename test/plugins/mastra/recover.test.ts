import { expect, test, vi } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { adder, adding, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

const recovering = () => audited({ auditor: strict(), onAlarm: 'recover' });

test('the model is asked again, and told why; the tools of what it said before do not run', async () => {
  const audit = recovering();
  const { ran, tools } = adding();
  const script = [
    { text: 'wrong', calls: [call('add', {}, 'bad')] },
    { calls: [call('add', {}, 'good')] },
    { text: 'It is 40' },
  ];
  const agent = agentThat('solver', script, { tools });
  const result = await withAuditor(agent, audit.runtime).generate('?');
  expect([result.tripwire, ran]).toEqual([undefined, ['add']]);
  expect(JSON.stringify(agent.prompts[1])).toContain('Your previous response was not accepted: it is wrong');
  expect(JSON.stringify(agent.prompts[1])).not.toContain('bad');
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'solver agent: wrong',
    '*user user: it is wrong',
    'solver agent: ',
    'solver tool: 40',
    'solver agent: It is 40',
  ]);
  expect(outcomes(audit)).toEqual(['halted', 'completed']);
  expect(audit.of('run').map(({ recoveries }) => recoveries)).toEqual([undefined, 1]);
});

test('a final answer is said again, streamed too; after maxRecoveries an alarm halts', async () => {
  const audit = recovering();
  const agent = agentThat('solver', [{ text: 'wrong' }]);
  const output = await withAuditor(agent, audit.runtime).stream('?');
  await output.consumeStream();
  expect(isAuditorTripwire(output)).toBe(true);
  expect(agent.prompts).toHaveLength(3);
});

test('a sub-agent says it again, and its caller never knows', async () => {
  const audit = recovering();
  const scout = agentThat('scout', [{ text: 'wrong' }, { text: 'scouted' }]);
  const boss = agentThat('boss', [{ calls: [call('agent-scout', { prompt: 'go' })] }, { text: 'done' }], {
    agents: { scout },
  });
  const result = await withAuditor(boss, audit.runtime).generate('?');
  expect(result.tripwire).toBeUndefined();
  expect([scout.prompts.length, boss.prompts.length]).toEqual([2, 2]);
});

test('what a tool has answered cannot be said again: the run is halted, and that is said', async () => {
  const audit = recovering();
  const { agent } = adder('fine', 'never', 'wrong');
  const result = await withAuditor(agent, audit.runtime).generate('?');
  expect(auditHalt(result)?.alarm).toMatchObject({ step: 2 });
  expect(audit.faults).toEqual(['cannot-recover']);
});
