import { describe, expect, test } from 'vitest';
import { SetupError } from '../../core/index.js';
import { manualHarness } from './harnesses/manual.js';
import { contract, type Skip, testPlugin } from './index.js';

/** What a runner is told. */
function told(skip: readonly Skip[]) {
  const tests = new Map<string, () => Promise<void>>();
  const skipped: string[] = [];
  const runner = Object.assign((name: string, run: () => Promise<void>) => tests.set(name, run), {
    skip: (name: string) => skipped.push(name),
  });
  testPlugin({ harness: manualHarness, skip, test: runner });
  return { tests, skipped };
}

const streamed = 'ordering: a streamed run tells what any other run tells';
const [clause, check] = streamed.split(': ') as [string, string];
const ordered = 'everything said, called and answered is one turn, numbered from 0 without a gap';

test('every check of every clause is one test, named for plugin, clause and check', () => {
  const names = contract.flatMap(({ name, checks }) => checks.map((one) => `manual: ${name}: ${one.name}`));
  expect([...told([]).tests.keys()]).toEqual(names);
  expect(new Set(names).size).toBe(names.length);
});

test('what the plugin cannot do fails, and is not passed over, until it is skipped', async () => {
  await expect(told([]).tests.get(`manual: ${streamed}`)?.()).rejects.toThrow('the harness has no stream()');
});

test('a skipped check is reported as skipped with its reason, and is no test that passes', async () => {
  const { tests, skipped } = told([{ clause, check, reason: 'a loop has no streams' }]);
  expect(skipped).toEqual([`manual: ${streamed} (skipped: a loop has no streams)`]);
  expect(tests.has(`manual: ${streamed}`)).toBe(false);
  await tests.get(`the skip is needed: manual: ${streamed}`)?.();
});

test('a skipped check that passes fails the suite: the skip is stale', async () => {
  const { tests } = told([{ clause, check: ordered, reason: 'it once had no order' }]);
  const stale = tests.get(`the skip is needed: manual: ordering: ${ordered}`);
  await expect(stale?.()).rejects.toThrow(
    'take it off the skip list, where it stands because it once had no order',
  );
});

test('a skip without a check skips the whole clause', () => {
  const { skipped } = told([{ clause: 'resuming', reason: 'a loop saves nothing' }]);
  expect(skipped).toHaveLength(contract.find(({ name }) => name === 'resuming')?.checks.length ?? 0);
});

describe('a set-up fault', () => {
  test.each<[string, Skip[], string]>([
    ['no reason', [{ clause, check, reason: ' ' }], 'has no reason'],
    [
      'no such clause',
      [{ clause: 'sorting', reason: 'none' }],
      'there is no clause "sorting". Clauses are ordering',
    ],
    [
      'no such check',
      [{ clause, check: 'sorts', reason: 'none' }],
      'there is no check "sorts" of "ordering"',
    ],
    [
      'skipped twice',
      [
        { clause, check, reason: 'none' },
        { clause, reason: 'none' },
      ],
      'is skipped twice',
    ],
  ])('%s', (_what, skip, message) => {
    expect(() => told(skip)).toThrow(SetupError);
    expect(() => told(skip)).toThrow(message);
  });
});
