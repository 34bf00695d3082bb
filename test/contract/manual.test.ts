import { test } from 'vitest';
import { manualHarness } from './harnesses/manual.js';
import { testPlugin } from './index.js';

const streams = [
  { clause: 'ordering', check: 'a streamed run tells what any other run tells' },
  { clause: 'halting', check: 'a streamed run is halted as any other' },
  { clause: 'transparency', check: 'the chunks of a stream are the bare host’s' },
  { clause: 'transparency', check: 'the chunks of a stream of lanes are the bare host’s' },
].map((skip) => ({ ...skip, reason: 'a loop has no streams' }));

testPlugin({
  harness: manualHarness,
  test,
  skip: [
    ...streams,
    {
      clause: 'halting',
      check: 'a host that tries its agents again does not try again what was halted',
      reason: 'a loop that catches every error runs its agent again before it reports to anybody',
    },
    { clause: 'resuming', reason: 'a loop saves nothing' },
  ],
});
