import { createDurableAgent } from '@mastra/core/agent/durable';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { expect, test, vi } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat } from '../../support/mastra-agents.js';
import { adder, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

function durable(first: string, then?: string) {
  const { ran, agent } = adder(first, then);
  return { ran, agent: createDurableAgent({ agent }) };
}

test('a durable agent is told as any other, streamed or not', async () => {
  const audit = audited();
  const told = ['*user user: ?', 'solver agent: I add', 'solver tool: 40', 'solver agent: It is 40'];
  await withAuditor(durable('I add').agent, audit.runtime).generate('?');
  expect(lines(audit)).toEqual(told);
  const { output } = await withAuditor(durable('I add').agent, audit.runtime).stream('?');
  await output.consumeStream();
  expect(lines(audit)).toEqual([...told, ...told]);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed', 'completed']));
});

test('and halted before its tools', async () => {
  const { ran, agent } = durable('wrong');
  const { output } = await withAuditor(agent, audited({ auditor: strict() }).runtime).stream('?');
  await output.consumeStream();
  expect([isAuditorTripwire(output), ran]).toEqual([true, []]);
});

test('paused, and taken up by the hook of its own run', async () => {
  const audit = audited({ auditor: strict(), onAlarm: 'pause' });
  const { ran, agent } = durable('wrong');
  new Mastra({ agents: { agent: agent as never }, storage: new InMemoryStore(), logger: false });
  const twin = withAuditor(agent, audit.runtime);
  const result = await twin.generate('?');
  expect([result.finishReason, auditHalt(result)?.alarm?.agent, ran]).toEqual(['suspended', 'solver', []]);
  await twin.approveToolCallGenerate({ runId: result.runId as string, toolCallId: 'add-1' });
  expect(ran).toEqual(['add']);
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'solver agent: wrong',
    'solver tool: 40',
    'solver agent: It is 40',
  ]);
  expect(outcomes(audit)).toEqual(['paused', 'completed']);
});

test.each(['generate', 'stream'] as const)(
  'its last tool’s answer at maxSteps is judged before the result is handed out: %s',
  async (method) => {
    const audit = audited({ auditor: strict() });
    const { agent } = adder('fine', 'never', 'wrong');
    const twin = withAuditor(createDurableAgent({ agent }), audit.runtime);
    const options = { maxSteps: 1 };
    const result =
      method === 'generate' ? await twin.generate('?', options) : (await twin.stream('?', options)).output;
    if ('consumeStream' in result) await result.consumeStream();
    expect(isAuditorTripwire(result)).toBe(true);
    expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: fine', 'solver tool: wrong']);
    await vi.waitFor(() => expect(outcomes(audit)).toEqual(['halted']));
  },
);

test.each(['generate', 'stream'] as const)(
  'an agent that makes itself durable is told once: %s',
  async (method) => {
    const audit = audited();
    const twin = withAuditor(agentThat('solver', [{ text: 'fine' }], { durable: true }), audit.runtime);
    const result = method === 'generate' ? await twin.generate('?') : await twin.stream('?');
    const { output } = result as unknown as { output?: { consumeStream(): Promise<void> } };
    await output?.consumeStream();
    await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed']));
    expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: fine']);
  },
);
