import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { readWhoAndWhenFolder } from '../../../collectors/importers/who-and-when.js';
import { CorpusQuirks } from '../../../collectors/quirks/corpus-checks.js';
import type { RecordedRun } from '../../../collectors/recorded-run.js';
import { collect } from '../support/collect.js';
import { dataFolder } from '../support/data-folder.js';

const folder = dataFolder('who-and-when');
const every = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

describe.skipIf(!folder)('Who&When as published', () => {
  let algorithmGenerated: readonly RecordedRun[] = [];
  let handCrafted: readonly RecordedRun[] = [];
  beforeAll(async () => {
    algorithmGenerated = await collect(readWhoAndWhenFolder(join(folder ?? '', 'algorithm-generated')));
    handCrafted = await collect(readWhoAndWhenFolder(join(folder ?? '', 'hand-crafted')));
  });

  test('every file is read, turn for turn', async () => {
    const turnCounts = (runs: readonly RecordedRun[]) =>
      runs.reduce((sum, { turns }) => sum + turns.length, 0);
    expect([algorithmGenerated.length, turnCounts(algorithmGenerated)]).toEqual([126, 1099]);
    expect([handCrafted.length, turnCounts(handCrafted)]).toEqual([58, 2993]);
    for (const { source, label } of [...algorithmGenerated, ...handCrafted]) {
      expect(label?.kind).toBe('unsafe');
      expect(await detectFormat(source)).toBe('who-and-when');
    }
  });

  test.each([
    ['string-mistake-step', every(126)],
    ['task-spoken-by-agent', every(126)],
    ['label-agent-absent', []],
    ['label-agent-only-base-name', []],
    ['label-agent-not-at-step', [14, 15, 59]],
    ['label-on-tool-turn', [14, 59]],
    ['label-at-task', [1, 19, 20, 21, 22, 24, 43, 51, 52, 57, 70, 77, 80, 86, 88, 92, 104, 106, 117, 119]],
    ['task-not-in-first-turn', [19, 22, 24, 51, 70, 80, 92, 104, 117, 121]],
    ['speakers-share-base-name', []],
    ['hyphen-in-speaker', [91, 103]],
    ['empty-turn', [36, 99]],
    ['repeated-turn', [28, 29, 35, 104]],
    ['long-turn', [80, 108, 110]],
    ['invisible-character', [33, 35, 57, 95, 122]],
    ['soft-hyphen', [32]],
    ['non-latin-text', [35, 45, 108]],
    ['unusual-field labels', [30]],
    ['think-tag', []],
  ])('algorithm-generated: %s', (code, numbers) => {
    expect(numbersWith(code, algorithmGenerated)).toEqual(numbers);
  });

  test.each([
    ['string-mistake-step', every(58)],
    ['task-spoken-by-agent', []],
    ['label-agent-only-base-name', [6, 9, 10, 14, 16, 19, 24, 25, 31, 32, 36, 38, 39, 42, 45, 47, 55, 58]],
    ['label-agent-absent', []],
    ['label-agent-not-at-step', [20, 22, 49]],
    ['label-on-tool-turn', []],
    ['label-at-task', []],
    ['task-not-in-first-turn', []],
    ['speakers-share-base-name', every(58)],
    ['hyphen-in-speaker', []],
    ['empty-turn', []],
    ['repeated-turn', []],
    ['long-turn', [20, 30, 36, 38, 49, 51]],
    ['invisible-character', []],
    ['non-latin-text', [1, 2, 7, 11, 17, 20, 21, 23, 28, 30, 34, 41, 44, 46, 47, 50, 51, 53, 54, 56]],
    ['unusual-field mistake_type', [3, 29, 39, 45]],
    ['unusual-field is_corrected', every(58)],
  ])('hand-crafted: %s', (code, numbers) => {
    expect(numbersWith(code, handCrafted)).toEqual(numbers);
  });

  test('hand-crafted: a level in 30 files', () => {
    expect(numbersWith('unusual-field level', handCrafted)).toHaveLength(30);
  });

  test('across files', () => {
    const corpus = new CorpusQuirks();
    for (const run of [...algorithmGenerated, ...handCrafted]) corpus.observe(run);
    const runsOf = (wanted: string) =>
      corpus.quirks().flatMap(({ code, runs }) => (code === wanted ? [runs] : []));
    expect(runsOf('duplicate-history')).toEqual([['algorithm-generated/22', 'algorithm-generated/51']]);
    expect(runsOf('duplicate-history-labels-differ')).toEqual([
      ['algorithm-generated/117', 'algorithm-generated/121'],
    ]);
    expect(runsOf('shared-task-across-domains')).toHaveLength(42);
    expect(runsOf('shared-task')).toEqual([]);
    expect(runsOf('repeated-run-id')).toEqual([]);
  });
});

/** `code`, or `unusual-field` and the field. */
function numbersWith(code: string, runs: readonly RecordedRun[]): readonly number[] {
  const [wanted, field] = code.split(' ');
  return runs.flatMap(({ runId, quirks }) =>
    quirks.some((quirk) => quirk.code === wanted && (field === undefined || quirk.detail === field))
      ? [Number(runId.split('/')[1])]
      : [],
  );
}
