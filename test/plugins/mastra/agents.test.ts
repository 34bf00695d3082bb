import type { MastraLanguageModel } from '@mastra/core/agent';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt } from '../../../core/index.js';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call, scriptedModel, toolThat } from '../../support/mastra-agents.js';
import { adder, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const TOLD = [
  '*user user: What is 17 + 23?',
  'solver agent: I add',
  'solver tool: 40',
  'solver agent: It is 40',
];

test('each model call and each tool’s answer is a turn', async () => {
  const audit = audited();
  const { agent } = adder('I add');
  const result = await withAuditor(agent, audit.runtime).generate('What is 17 + 23?');
  expect(result.text).toBe('I addIt is 40');
  expect(lines(audit)).toEqual(TOLD);
  expect(outcomes(audit)).toEqual(['completed']);
  const [, asked] = audit.turns();
  expect(asked).toMatchObject({
    toolCalls: [{ id: 'add-1', name: 'add', args: { a: 17 } }],
    usage: { inputTokens: 3, outputTokens: 5 },
  });
  expect(audit.of('run')).toMatchObject([
    { framework: 'mastra', task: 'What is 17 + 23?', tools: [{ name: 'add', description: 'Does add' }] },
  ]);
});

test('a streamed run tells the same', async () => {
  const audit = audited();
  const output = await withAuditor(adder('I add').agent, audit.runtime).stream('What is 17 + 23?');
  expect(await output.text).toBe('It is 40');
  expect(lines(audit)).toEqual(TOLD);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed']));
});

test('reasoning is the thought', async () => {
  const audit = audited();
  await withAuditor(agentThat('solver', [{ thought: 'hm', text: 'yes' }]), audit.runtime).generate('?');
  expect(audit.turns().at(-1)).toMatchObject({ thought: 'hm', content: 'yes' });
});

test('an alarm on a tool call stops the tool; the result is a tripwire, nothing is thrown', async () => {
  const audit = audited({ auditor: strict() });
  const { agent, ran } = adder('wrong');
  const result = await withAuditor(agent, audit.runtime).generate('What is 17 + 23?');
  expect(ran).toEqual([]);
  expect(agent.prompts).toHaveLength(1);
  const [run] = audit.of('run');
  expect(result.tripwire).toEqual({
    reason: 'audit alarm at step 1 (solver): it is wrong',
    processorId: 'auditor',
    metadata: { step: 1, agent: 'solver', reason: 'it is wrong', runId: run?.runId },
    retry: undefined,
  });
  expect(result.finishReason).toBe('other');
  expect(isAuditorTripwire(result)).toBe(true);
  expect(auditHalt(result)).toBeInstanceOf(AuditHalt);
  expect(auditHalt(result)?.turns).toHaveLength(2);
  expect(outcomes(audit)).toEqual(['halted']);
});

test('a stream ends with the tripwire', async () => {
  const { agent } = adder('fine', 'wrong');
  const output = await withAuditor(agent, audited({ auditor: strict() }).runtime).stream('?');
  const chunks = await Array.fromAsync(output.fullStream);
  const tripwires = chunks.filter((chunk) => isAuditorTripwire(chunk));
  expect(tripwires).toHaveLength(1);
  expect(chunks.at(-1)).toBe(tripwires[0]);
  expect(isAuditorTripwire(output)).toBe(true);
  expect(auditHalt(output)?.alarm).toMatchObject({ step: 3, agent: 'solver' });
});

test('a guardrail of the host’s own is no alarm', async () => {
  const audit = audited();
  const agent = agentThat('solver', [{ text: 'rude' }], {
    outputProcessors: [
      { id: 'manners', processOutputResult: ({ abort }: { abort: (why: string) => never }) => abort('no') },
    ],
  });
  const result = await withAuditor(agent, audit.runtime).generate('?');
  expect(result.tripwire?.processorId).toBe('manners');
  expect(isAuditorTripwire(result)).toBe(false);
  expect(auditHalt(result)).toBeUndefined();
});

test('a tool that fails, and one that there is not, are told as errors', async () => {
  const audit = audited();
  const broken = toolThat('add', () => {
    throw new Error('the abacus is broken');
  });
  const script = [{ calls: [call('add'), call('divide')] }, { text: 'sorry' }];
  await withAuditor(agentThat('solver', script, { tools: { add: broken } }), audit.runtime).generate('?');
  const answers = audit.turns().filter(({ kind }) => kind === 'tool');
  expect(answers.map(({ toolName, isError }) => [toolName, isError])).toEqual([
    ['add', true],
    ['divide', true],
  ]);
  expect(answers[0]?.content).toBe('the abacus is broken');
});

test('an error of the model’s reaches the caller as the very object, and is no turn', async () => {
  const audit = audited();
  const error = new Error('no credit');
  const agent = agentThat('solver', () => {
    throw error;
  });
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await expect(withAuditor(agent, audit.runtime).generate('?')).rejects.toBe(error);
  expect(lines(audit)).toEqual(['*user user: ?']);
  expect(audit.of('close')).toMatchObject([{ outcome: { status: 'failed', error: 'no credit' } }]);
});

test('structured output is judged as the text that it is; a halted one has no object', async () => {
  const structuredOutput = { schema: z.object({ sum: z.string() }) };
  const agent = () => agentThat('solver', [{ text: '{"sum":"wrong"}' }]);
  const fine = await withAuditor(agent(), audited().runtime).generate('?', { structuredOutput });
  expect(fine.object).toEqual({ sum: 'wrong' });
  const halted = await withAuditor(agent(), audited({ auditor: strict() }).runtime).generate('?', {
    structuredOutput,
  });
  expect([halted.object, isAuditorTripwire(halted)]).toEqual([undefined, true]);
});

test('what is asked of agents in an agent’s own code does not become the task', async () => {
  const audit = audited();
  const helper = agentThat('helper', [{ text: 'be kind' }]);
  const agent = agentThat('solver', [{ text: 'done' }], {
    instructions: async () => (await helper.generate('How should one answer?')).text,
  });
  await withAuditor(agent, audit.runtime).generate([{ role: 'user', content: 'Solve it' }]);
  expect(lines(audit)).toEqual(['*user user: Solve it', 'helper agent: be kind', 'solver agent: done']);
});

test('legacy calls are not audited, and that is said', async () => {
  const audit = audited();
  const twin = withAuditor(agentThat('solver', [{ text: 'x' }]), audit.runtime);
  await twin.generateLegacy('?').catch(() => {});
  expect(audit.faults).toEqual(['agent-not-hooked']);
});

test('a model of its own that gives an answer its shape is told as an agent, before the turn that it shapes', async () => {
  const shaping = (text: string) => ({
    structuredOutput: {
      schema: z.object({ sum: z.string() }),
      model: scriptedModel([{ text: JSON.stringify({ sum: text }) }]) as unknown as MastraLanguageModel,
    },
  });
  const audit = audited({ auditor: strict() });
  const twin = withAuditor(agentThat('solver', [{ text: 'It is 40' }]), audit.runtime);
  expect((await twin.generate('?', shaping('40'))).object).toEqual({ sum: '40' });
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'structured-output-structurer agent: {"sum":"40"}',
    'solver agent: It is 40',
  ]);
  const halted = await twin.generate('?', shaping('wrong'));
  expect(auditHalt(halted)?.alarm?.agent).toBe('structured-output-structurer');
  expect(halted.object).toBeUndefined();
});

test('streamUntilIdle is a stream as any', async () => {
  const audit = audited({ auditor: strict() });
  const { agent, ran } = adder('wrong');
  const output = await withAuditor(agent, audit.runtime).streamUntilIdle('?');
  await output.consumeStream();
  expect([isAuditorTripwire(output), ran]).toEqual([true, []]);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['halted']));
});
