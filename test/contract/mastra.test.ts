import { test, vi } from 'vitest';
import { mastraHarness } from './harnesses/mastra.js';
import { testPlugin } from './index.js';

// Mastra prints each error of a tool, and each tripwire.
vi.spyOn(console, 'error').mockImplementation(() => {});
vi.spyOn(console, 'warn').mockImplementation(() => {});

testPlugin({
  harness: mastraHarness,
  test,
  skip: [
    {
      clause: 'resuming',
      reason:
        'a tripwire ends the run of an agent for good; what waits for the approval of a tool call is resumed, and a team without tools has none',
    },
  ],
});
