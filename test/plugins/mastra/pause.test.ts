import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { Auditor } from '../../../core/index.js';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { adder, adding, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

/** Only what belongs to a Mastra with storage can be resumed. */
function saved<Named extends object>(agents: Named): Named {
  new Mastra({ agents: agents as never, storage: new InMemoryStore(), logger: false });
  return agents;
}

const pausing = () => audited({ auditor: strict(), onAlarm: 'pause' });
const PAST = ['*user user: ?', 'solver agent: wrong'];

test('an alarm on a tool call waits for its approval, which overrides it', async () => {
  const audit = pausing();
  const { ran, agent } = adder('wrong');
  const twin = withAuditor(saved({ agent }).agent, audit.runtime);
  const result = await twin.generate('?');
  expect(result.finishReason).toBe('suspended');
  expect(result.suspendPayload).toMatchObject({ toolCallId: 'add-1', toolName: 'add' });
  expect(isAuditorTripwire(result)).toBe(false);
  expect(auditHalt(result)?.alarm).toMatchObject({ step: 1, agent: 'solver' });
  expect([ran, lines(audit), outcomes(audit)]).toEqual([[], PAST, ['paused']]);

  const resumed = await twin.approveToolCallGenerate({ runId: result.runId as string, toolCallId: 'add-1' });
  expect(ran).toEqual(['add']);
  expect(resumed.finishReason).toBe('stop');
  expect(auditHalt(resumed)).toBeUndefined();
  expect(lines(audit)).toEqual([...PAST, 'solver tool: 40', 'solver agent: It is 40']);
  const [first, second] = audit.of('run');
  expect(second?.continues).toBe(first?.runId);
  expect(outcomes(audit)).toEqual(['paused', 'completed']);
});

test('streamed, and declined: the model hears of it, and goes on', async () => {
  const audit = pausing();
  const { ran, agent } = adder('wrong', 'Then not.');
  const twin = withAuditor(saved({ agent }).agent, audit.runtime);
  const output = await twin.stream('?');
  const types = (await Array.fromAsync(output.fullStream)).map(({ type }) => type);
  expect(types.at(-1)).toBe('tool-call-approval');
  await vi.waitFor(() => expect(auditHalt(output)?.alarm?.agent).toBe('solver'));
  const declined = await twin.declineToolCall({
    runId: output.runId,
    toolCallId: 'add-1',
    reason: 'too dear',
  });
  expect(await declined.text).toContain('Then not.');
  expect(ran).toEqual([]);
  expect(lines(audit)).toEqual([...PAST, 'solver tool: too dear', 'solver agent: Then not.']);
});

test('each tool call of the blamed turn is approved in turn', async () => {
  const audit = pausing();
  const { ran, tools } = adding();
  const script = [
    { text: 'wrong', calls: [call('add', {}, 'one'), call('add', {}, 'two')] },
    { text: 'done' },
  ];
  const { agent } = saved({ agent: agentThat('solver', script, { tools }) });
  const twin = withAuditor(agent, audit.runtime);
  const { runId } = (await twin.generate('?')) as { runId: string };
  const again = await twin.approveToolCallGenerate({ runId, toolCallId: 'one' });
  expect([again.finishReason, ran]).toEqual(['suspended', ['add']]);
  await twin.approveToolCallGenerate({ runId, toolCallId: 'two' });
  expect(ran).toEqual(['add', 'add']);
  expect(lines(audit)).toEqual([...PAST, 'solver tool: 40', 'solver tool: 40', 'solver agent: done']);
});

test('an alarm in a sub-agent suspends the whole run, and is approved from above', async () => {
  const audit = pausing();
  const { ran, tools } = adding();
  const scout = agentThat('scout', [{ text: 'wrong', calls: [call('add')] }, { text: 'scouted' }], { tools });
  const asked = call('agent-scout', { prompt: 'go' }, 'asked');
  const boss = agentThat('boss', [{ calls: [asked] }, { text: 'done' }], { agents: { scout } });
  const twin = withAuditor(saved({ boss, scout }).boss, audit.runtime);
  const result = await twin.generate('?');
  expect([result.finishReason, auditHalt(result)?.alarm?.agent, ran]).toEqual(['suspended', 'scout', []]);
  await twin.approveToolCallGenerate({ runId: result.runId as string, toolCallId: 'asked' });
  expect(ran).toEqual(['add']);
  expect(lines(audit).slice(3, 5)).toEqual(['scout tool: 40', 'scout agent: scouted']);
});

test('an alarm where no tool is called can only halt, and that is said', async () => {
  const audit = pausing();
  const { agent } = adder('fine', 'wrong');
  const result = await withAuditor(saved({ agent }).agent, audit.runtime).generate('?');
  expect(isAuditorTripwire(result)).toBe(true);
  expect(outcomes(audit)).toEqual(['halted']);
  expect(audit.faults).toEqual(['cannot-pause']);
});

test('the host’s own approvals stay what they are; the run that goes on is judged with its past in view', async () => {
  const audit = audited({ auditor: strict() });
  const { ran, agent } = adder('fine', 'wrong');
  const twin = withAuditor(saved({ agent }).agent, audit.runtime);
  const result = await twin.generate('?', { requireToolApproval: true });
  expect([result.finishReason, auditHalt(result), outcomes(audit)]).toEqual([
    'suspended',
    undefined,
    ['interrupted'],
  ]);
  const resumed = await twin.approveToolCallGenerate({ runId: result.runId as string, toolCallId: 'add-1' });
  expect(ran).toEqual(['add']);
  expect(auditHalt(resumed)?.alarm).toMatchObject({ step: 3 });
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'solver agent: fine',
    'solver tool: 40',
    'solver agent: wrong',
  ]);
});

test('in another process the run goes on, judged from there, with what Mastra has saved as given', async () => {
  const storage = new InMemoryStore();
  const inProcess = () => {
    const audit = pausing();
    const { ran, agent } = adder('wrong', 'wrong again');
    new Mastra({ agents: { agent }, storage, logger: false });
    return { audit, ran, agent, twin: withAuditor(agent, audit.runtime) };
  };
  const { runId } = (await inProcess().twin.generate('?')) as { runId: string };
  const later = inProcess();
  later.agent.prompts.push([]); // it has been asked once already, there
  const result = await later.twin.approveToolCallGenerate({ runId, toolCallId: 'add-1' });
  expect(later.ran).toEqual(['add']);
  expect(auditHalt(result)?.alarm?.agent).toBe('solver');
  expect(lines(later.audit).at(0)).toBe('*user user: ?');
  expect(lines(later.audit).at(-1)).toBe('solver agent: wrong again');
});

test('tools that only the caller can run wait for no approval: such an alarm halts, and that is said', async () => {
  const audit = pausing();
  const pick = createTool({ id: 'pick', description: 'Picks', inputSchema: z.looseObject({}) });
  const { agent } = saved({ agent: agentThat('solver', [{ text: 'wrong', calls: [call('pick')] }]) });
  const result = await withAuditor(agent, audit.runtime).generate('?', { clientTools: { pick } });
  expect([isAuditorTripwire(result), audit.faults]).toEqual([true, ['cannot-pause']]);
});

test('a tool that says for itself that it needs no approval does not run either', async () => {
  const audit = pausing();
  const execute = vi.fn(async () => '40');
  const inputSchema = z.looseObject({});
  const add = createTool({
    id: 'add',
    description: 'Adds',
    inputSchema,
    requireApproval: () => false,
    execute,
  });
  const script = [{ text: 'wrong', calls: [call('add')] }, { text: 'done' }];
  const { agent } = saved({ agent: agentThat('solver', script, { tools: { add } }) });
  const result = await withAuditor(agent, audit.runtime).generate('?');
  expect(execute).not.toHaveBeenCalled();
  expect([isAuditorTripwire(result), audit.faults]).toEqual([true, ['cannot-pause']]);
});

test('a delegation beside the one that is paused is stopped: it has an empty answer, and is not asked again', async () => {
  const auditor: Auditor = {
    audit: async ({ prefix: { newest } }) =>
      newest.agent === 'scout' && newest.content === 'wrong'
        ? { kind: 'alarm', step: newest.index, agent: 'scout', reason: 'it is wrong' }
        : { kind: 'continue' },
  };
  const audit = audited({ auditor, onAlarm: 'pause' });
  const { ran, tools } = adding();
  const scout = agentThat('scout', [{ text: 'wrong', calls: [call('add')] }, { text: 'scouted' }], { tools });
  const smith = agentThat('smith', async () => {
    await new Promise((resolve) => setTimeout(resolve, 40));
    return { text: 'forged' };
  });
  const asks = ['scout', 'smith'].map((name) => call(`agent-${name}`, { prompt: 'go' }, name));
  const boss = agentThat('boss', [{ calls: asks }, { text: 'done' }], { agents: { scout, smith } });
  const twin = withAuditor(saved({ boss, scout, smith }).boss, audit.runtime);
  const { finishReason, runId = '' } = await twin.generate('?');
  expect([finishReason, ran]).toEqual(['suspended', []]);
  const resumed = await twin.approveToolCallGenerate({ runId, toolCallId: 'scout' });
  expect([resumed.finishReason, ran, smith.prompts.length]).toEqual(['stop', ['add'], 0]);
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'boss agent: ',
    'scout agent: wrong',
    'scout tool: 40',
    'scout agent: scouted',
    'boss tool: wrongscouted',
    'boss tool: ',
    'boss agent: done',
  ]);
});
