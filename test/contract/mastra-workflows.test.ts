import { test, vi } from 'vitest';
import { mastraWorkflowHarness } from './harnesses/mastra-workflows.js';
import { testPlugin } from './index.js';

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
