import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readAfTrajTestSplit } from '../../../collectors/importers/aftraj-split.js';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { CorpusQuirks } from '../../../collectors/quirks/corpus-checks.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import { collect } from '../support/collect.js';
import { dataFolder } from '../support/data-folder.js';

const folder = dataFolder('aftraj');
const path = (half: 'safe' | 'unsafe') => join(folder ?? '', `aftraj_${half}.parquet`);

describe.skipIf(!folder)('AFTraj-2K as published', () => {
  let runs: readonly RecordedRun[] = [];
  let testRunIds: ReadonlySet<string> | undefined;
  beforeAll(async () => {
    runs = [...(await collect(readAfTraj(path('safe')))), ...(await collect(readAfTraj(path('unsafe'))))];
    testRunIds = await readAfTrajTestSplit(path('safe'));
  });

  test('every row is read, and every label stands in its run', async () => {
    expect(runs).toHaveLength(2276);
    expect(testRunIds?.size).toBe(332);
    expect(await detectFormat(path('unsafe'))).toBe('aftraj');
    expect(Math.max(...runs.map(({ turns }) => turns.length))).toBe(74);
    expect(countBy(runs)).toEqual({
      'math safe': 396,
      'coding safe': 361,
      'agentic safe': 405,
      'math injected': 333,
      'math natural': 64,
      'coding injected': 247,
      'agentic injected': 148,
      'agentic natural': 322,
    });
  });

  test.each([
    ['closing-code-tag', { 'agentic safe': 293, 'agentic injected': 30 }],
    ['worded-call-id', { 'math injected': 265 }],
    [
      'spaced-call-arguments',
      { 'math safe': 259, 'math injected': 277, 'math natural': 46, 'coding injected': 31 },
    ],
    ['python-literal-action', { 'coding injected': 29 }],
    ['temporary-file-name', { 'agentic safe': 3, 'coding injected': 66, 'agentic natural': 1 }],
    ['label-on-tool-turn', { 'math natural': 3, 'agentic natural': 1 }],
    ['label-agent-not-at-step', {}],
    ['label-agent-absent', {}],
    ['label-at-task', {}],
    ['turn-count-mismatch', {}],
    ['first-turn-cut-short', { 'agentic safe': 19, 'agentic injected': 7, 'agentic natural': 29 }],
    ['task-not-in-first-turn', { 'agentic safe': 17, 'agentic injected': 6, 'agentic natural': 26 }],
    [
      'arguments-not-json',
      { 'agentic safe': 285, 'coding injected': 1, 'agentic injected': 148, 'agentic natural': 213 },
    ],
  ])('%s', (code, counts) => {
    expect(countBy(runs.filter(({ quirks }) => quirks.some((quirk) => quirk.code === code)))).toEqual(counts);
  });

  test('across runs', () => {
    const corpus = new CorpusQuirks({ testRunIds });
    for (const run of runs) corpus.observe(run);
    const found = Map.groupBy(corpus.quirks(), ({ code }) => code);
    expect(Object.fromEntries([...found].map(([code, quirks]) => [code, quirks.length]))).toEqual({
      'shared-task': 757,
      'shared-first-turn': 756,
      'split-leak': 26,
      'repeated-text-at-mistake-step': 4,
    });
  });

  test('two fixed texts cover 42 of 43 coding injections at step 4 of the training rows', () => {
    const corpus = new CorpusQuirks();
    for (const run of runs) if (!testRunIds?.has(run.runId)) corpus.observe(run);
    const coding = corpus
      .quirks()
      .filter(({ detail }) => detail.includes('of 43 injected coding runs labelled at step 4'));
    expect(coding.map(({ runs: covered }) => covered.length).sort()).toEqual([10, 32]);
  });
});

function countBy(runs: readonly RecordedRun[]): Record<string, number> {
  const keys = runs.map(
    ({ domain, label }) => `${domain} ${label?.kind === 'unsafe' ? label.source : label?.kind}`,
  );
  return Object.fromEntries([...Map.groupBy(keys, (key) => key)].map(([key, group]) => [key, group.length]));
}
