import { test } from 'vitest';
import { openaiAgentsHarness } from './harnesses/openai-agents.js';
import { testPlugin } from './index.js';

testPlugin({
  harness: openaiAgentsHarness,
  test,
  skip: [
    {
      clause: 'resuming',
      reason: 'a function saves nothing; a RunState does, and belongs to one run of a runner',
    },
  ],
});
