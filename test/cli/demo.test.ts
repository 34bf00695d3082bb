import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';

test('demo: the wrong step is halted before the verifier speaks; the healthy run is untouched', async () => {
  const { code, stdout } = await runCli('demo', '--json');
  const { faulty, healthy } = JSON.parse(stdout);
  expect(faulty).toMatchObject({
    halted: true,
    alarm: { kind: 'alarm', step: 6, agent: 'solver' },
    deeds: { calculations: 2, verified: false },
    answer: null,
    bareAnswer: 'So 341 cups are left.',
  });
  expect(faulty.steps).toHaveLength(7);
  expect(healthy).toMatchObject({ halted: false, alarm: null, deeds: { calculations: 2, verified: true } });
  expect(healthy.answer).toBe('So 351 cups are left.');
  expect(healthy.answer).toBe(healthy.bareAnswer);
  expect(healthy.steps.map(({ verdict }: { verdict: string | null }) => verdict)).toEqual([
    null,
    ...Array(7).fill('continue'),
  ]);
  expect(code).toBe(0);
});

test('demo: told for people', async () => {
  const { stdout } = await runCli('demo');
  expect(stdout).toMatch(/6\s+solver\s+agent\s+✗ ALARM\s+So 341 cups are left\./);
  expect(stdout).toMatch(/the verifier never spoke/);
  expect(stdout).toMatch(/Untouched: So 351 cups are left\./);
});
