import { expect, test, vi } from 'vitest';
import { createRuntime } from '../../core/index.js';
import type { Subject } from './clause.js';
import type { Harness } from './harness.js';
import { mastraHarness } from './harnesses/mastra.js';
import { contract } from './index.js';
import { goOn, overPlugin, overSession } from './mutants/mutation.js';

vi.spyOn(console, 'error').mockImplementation(() => {});
vi.spyOn(console, 'warn').mockImplementation(() => {});

const mastra: Subject = { harness: mastraHarness as Harness<unknown>, createRuntime };

/** Mastra's plugin, broken: its harness must let the contract notice. */
const deaf = overPlugin(mastra, (host) => host);
const hasty = overSession(mastra, (session) => ({
  submit: async (turn) => {
    void session.submit(turn);
    return goOn;
  },
}));

/** The checks of a clause that a subject passes. */
async function passedBy(subject: Subject, name: string): Promise<string[]> {
  const passed: string[] = [];
  for (const check of contract.find((clause) => clause.name === name)?.checks ?? []) {
    await check.run(subject).then(
      () => passed.push(check.name),
      () => {},
    );
  }
  return passed;
}

test.each(['fidelity', 'halting', 'isolation'])(
  'a plugin that hooks nothing passes no check of %s',
  async (clause) => {
    expect(await passedBy(deaf, clause)).toEqual([]);
  },
);

test('a plugin that hooks nothing passes of ordering what is true of no turns', async () => {
  expect(await passedBy(deaf, 'ordering')).toEqual(['a turn has the same id in every run']);
});

test('a plugin that does not wait passes no check of blocking', async () => {
  expect(await passedBy(hasty, 'blocking')).toEqual([]);
});

test('a plugin that does not heed a verdict halts at the end at most', async () => {
  expect(await passedBy(hasty, 'halting')).toEqual([
    'an alarm on the very last turn still rejects the run',
    'the halt says which step, who and why, with all turns and every verdict; the record says it too',
  ]);
});
