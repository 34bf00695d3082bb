import { test } from 'vitest';
import { aiSdkHarness } from './harnesses/ai-sdk.js';
import { testPlugin } from './index.js';

testPlugin({
  harness: aiSdkHarness,
  test,
  skip: [
    {
      clause: 'resuming',
      reason: 'a function saves nothing; approvals, which the SDK does take up, are tested with the plugin',
    },
  ],
});
