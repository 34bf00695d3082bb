import path from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from '../support/cli.js';

const folder = path.resolve(import.meta.dirname, '../fixtures/imports');

test.each([
  ['openai-messages/chat.json', 7, ['counter']],
  ['atif/team.json', 8, ['terminus-2', 'counter']],
  ['langsmith/runs.json', 6, ['planner', 'solver']],
  ['langfuse/observations.json', 6, ['planner', 'solver']],
  ['otlp/open-inference.jsonl', 6, ['planner', 'solver']],
  ['autogen/team.json', 12, ['planner', 'counter']],
  ['metagpt/team.json', 3, ['Planner', 'Solver']],
  ['smolagents/manager.json', 8, ['agent']],
])('audit %s: every step of the run, by its agents', async (file, steps, agents) => {
  const { code, stdout, stderr } = await runCli('audit', path.join(folder, file), '--json');
  expect([code, stderr]).toEqual([0, '']);
  const [first, last, ...others] = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(others).toEqual([]);
  expect(first.run.steps).toHaveLength(steps);
  expect(first.run.steps[0].kind).toBe('user');
  const speakers = first.run.steps.map(({ agent }: { agent: string }) => agent);
  for (const agent of agents) expect(speakers).toContain(agent);
  expect(last.summary).toMatchObject({ files: 1, runs: 1, steps, skipped: 0 });
});
