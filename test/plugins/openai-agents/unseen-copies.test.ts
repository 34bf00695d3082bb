import { createRequire } from 'node:module';
import type * as Sdk from '@openai/agents';
import { Agent, run } from '@openai/agents';
import { expect, test } from 'vitest';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { watched } from './audited.js';
import { ReplyingModel, says } from './replying-model.js';

/** The SDK as CommonJS code loads it. Its classes have no taps until one of its runners is hooked: hence a file apart. */
const sdk: typeof Sdk = createRequire(import.meta.url)('@openai/agents');

const seen = new Agent({ name: 'seen', model: new ReplyingModel(() => says('hello')) });
const unseen = new sdk.Agent({ name: 'unseen', model: new ReplyingModel(() => says('done')) });
const runUnseen = (task: string) => new sdk.Runner({ tracingDisabled: true }).run(unseen, task);

test('an agent that a function runs by the CommonJS copy goes unaudited, and that is reported', async () => {
  const { runtime, faults, told } = watched();
  await withAuditor(runUnseen, runtime)('go');
  expect(told()).toEqual(['user, user: go']);
  expect(faults.map(({ code }) => code)).toEqual(['agent-not-hooked']);
});

test('beside an agent that is seen, nothing tells of it', async () => {
  const { runtime, faults, told } = watched();
  const both = async (task: string) => {
    await run(seen, task);
    return runUnseen(task);
  };
  await withAuditor(both, runtime)('go');
  expect(told()).toEqual(['user, user: go', 'seen, agent: hello']);
  expect(faults).toEqual([]);
});

test('once a runner of that copy has been hooked, its agents are seen in functions, too', async () => {
  const { runtime, faults, told } = watched();
  withAuditor(new sdk.Runner(), runtime);
  await withAuditor(runUnseen, runtime)('go');
  expect(told()).toEqual(['user, user: go', 'unseen, agent: done']);
  expect(faults).toEqual([]);
});
