import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited } from '../../support/agent-runs.js';
import { agentThat, call, toolThat } from '../../support/mastra-agents.js';
import { adder, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

test('an abort ends as it does in the bare agent', async () => {
  const aborted = async (hook: <Host extends ReturnType<typeof agentThat>>(agent: Host) => Host) => {
    const controller = new AbortController();
    const add = toolThat('add', () => {
      controller.abort(new Error('enough'));
      return '40';
    });
    const agent = agentThat('solver', [{ calls: [call('add')] }, { text: 'never' }], { tools: { add } });
    const options = { abortSignal: controller.signal, eagerToolExecution: false };
    const { finishReason, text } = await hook(agent).generate('?', options);
    return { finishReason, text, asked: agent.prompts.length };
  };
  const audit = audited();
  const bare = await aborted((agent) => agent);
  expect(bare.finishReason).toBe('aborted');
  expect(await aborted((agent) => withAuditor(agent, audit.runtime))).toEqual(bare);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['aborted']));
});

test('nobody waits for a verdict after an abort', async () => {
  const controller = new AbortController();
  const never = {
    audit: () => {
      controller.abort();
      return new Promise<never>(() => {});
    },
  };
  const { ran, agent } = adder('I add');
  const started = performance.now();
  const { finishReason } = await withAuditor(agent, audited({ auditor: never }).runtime).generate('?', {
    abortSignal: controller.signal,
  });
  expect([finishReason, ran]).toEqual(['aborted', []]);
  expect(performance.now() - started).toBeLessThan(2_000); // the deadline is 10 s
});
