import { expect, test, vi } from 'vitest';
import { createRuntime } from '../../core/index.js';
import { mastraWorkflowHarness } from './harnesses/mastra-workflows.js';
import { contract, testPlugin } from './index.js';

// Mastra prints each error of a step, and each tripwire.
vi.spyOn(console, 'error').mockImplementation(() => {});
vi.spyOn(console, 'warn').mockImplementation(() => {});

const reason =
  'Mastra saves steps, not what an agent in one has said: halted between a call and its tool, it is asked again';

testPlugin({
  harness: mastraWorkflowHarness,
  test,
  skip: [
    {
      clause: 'transparency',
      check: 'an error of the host reaches its caller as in the bare host, the very object',
      reason: 'Mastra shows a copy of the error of an agent that is a step, in the bare workflow too',
    },
    {
      clause: 'resuming',
      check: 'wherever it was halted, a run that is taken up goes on at the blocked step',
      reason,
    },
    {
      clause: 'resuming',
      check: 'nothing is told twice, and the record says which run is continued',
      reason,
    },
    {
      clause: 'resuming',
      check: 'in a new process too, every agent and tool runs once, wherever the run was halted',
      reason,
    },
  ],
});

test('a plugin that hooks nothing keeps no promise of halting or resuming: the harness shows it', async () => {
  const plugin = { framework: 'mastra', hook: <Host>(host: Host) => host };
  const subject = { harness: { ...mastraWorkflowHarness, plugin } as never, createRuntime };
  const kept: string[] = [];
  for (const { name: clause, checks } of contract) {
    if (clause !== 'halting' && clause !== 'resuming') continue;
    for (const { name, run } of checks) {
      await run(subject).then(
        () => kept.push(name),
        () => {},
      );
    }
  }
  expect(kept).toEqual([]);
});
