import { test } from 'vitest';
import { manualHarness } from './harnesses/manual.js';
import { testPlugin } from './index.js';

testPlugin({
  harness: manualHarness,
  test,
  skip: [
    {
      clause: 'ordering',
      check: 'a streamed run tells what any other run tells',
      reason: 'a loop has no streams',
    },
    {
      clause: 'halting',
      check: 'a streamed run is halted as any other',
      reason: 'a loop has no streams',
    },
    {
      clause: 'transparency',
      check: 'the chunks of a stream are the bare host’s',
      reason: 'a loop has no streams',
    },
    {
      clause: 'halting',
      check: 'a host that tries its agents again does not try again what was halted',
      reason: 'a loop that catches every error runs its agent again before it reports to anybody',
    },
    { clause: 'resuming', reason: 'a loop saves nothing' },
  ],
});
