import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { runCli } from '../support/cli.js';

const data = path.resolve(
  import.meta.dirname,
  '../..',
  process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data',
);
const present = existsSync(data);
if (!present)
  console.log(
    `skipped: no datasets at ${data}; set AGENTFORESIGHT_DATA to a folder with aftraj and who-and-when`,
  );

async function audit(dataset: string) {
  const { code, stdout, stderr } = await runCli('audit', '--json', path.join(data, dataset));
  return { code, stderr, summary: JSON.parse(stdout.trimEnd().split('\n').at(-1) as string).summary };
}

describe.runIf(present)('the public datasets, whole', () => {
  test('Who&When: all 184 files without an error, every known quirk told', async () => {
    const { code, stderr, summary } = await audit('who-and-when');
    expect([code, stderr]).toEqual([0, '']);
    expect(summary).toMatchObject({ files: 184, runs: 184, steps: 4092, failures: 0 });
    expect(summary.labels['algorithm-generated'].unsafeRuns).toBe(126);
    expect(summary.labels['hand-crafted'].unsafeRuns).toBe(58);
    expect(summary.quirks).toMatchObject({
      'label-agent-only-base-name': 18,
      'label-agent-not-at-step': 6,
      'label-on-tool-turn': 2,
      'label-at-task': 20,
      'task-spoken-by-agent': 126,
      'empty-turn': 2,
      'repeated-turn': 4,
      'long-turn': 9,
      'invisible-character': 5,
      'hyphen-in-speaker': 2,
      'string-mistake-step': 184,
    });
    const across = Object.groupBy(summary.corpusQuirks as { code: string }[], ({ code: quirk }) => quirk);
    expect(across['duplicate-history']).toHaveLength(1);
    expect(across['duplicate-history-labels-differ']).toHaveLength(1);
    expect(across['shared-task-across-domains']).toHaveLength(42);
  });

  test('AFTraj: all 2,276 runs without an error, known leaks told, first alarms compared with the labels', async () => {
    const { code, stderr, summary } = await audit('aftraj');
    expect([code, stderr]).toEqual([0, '']);
    expect(summary).toMatchObject({ files: 2, runs: 2276, failures: 0 });
    expect(summary.labels.all).toMatchObject({ safeRuns: 1162, unsafeRuns: 1114 });
    expect(summary.labels['test split']).toMatchObject({ safeRuns: 169, unsafeRuns: 163 });
    expect(summary.quirks).toMatchObject({
      'closing-code-tag': expect.any(Number),
      'worded-call-id': expect.any(Number),
      'spaced-call-arguments': expect.any(Number),
      'curly-quotes': expect.any(Number),
      'temporary-file-name': expect.any(Number),
    });
    const across = Object.groupBy(summary.corpusQuirks as { code: string }[], ({ code: quirk }) => quirk);
    expect(across['split-leak']).toHaveLength(26);
    expect(across['repeated-text-at-mistake-step']?.length).toBeGreaterThan(0);
  });
});
