import { describe, expect, test } from 'vitest';
import { afTrajSamples } from '../../../bench/measured/aftraj-samples.js';
import { runProbe } from '../../../collectors/probe/run-probe.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { Sample } from '../../../collectors/sample.js';
import { dataFolder } from '../support/data-folder.js';
import { labelledCorpus } from '../support/labelled-corpus.js';

test('a planted word is found by the n-gram probe alone, and named', async () => {
  const corpus = labelledCorpus(240, (turn) => {
    // A word of the same length in its place, so that nothing but the word tells.
    return {
      ...turn,
      content: turn.content.replace(/^\S+/, (word) => 'slip'.padEnd(word.length, 'p').slice(0, word.length)),
    };
  });
  const { probes } = await runProbe(corpus);
  expect(probes['n-gram']?.overall.exactF1?.value).toBeGreaterThan(75);
  expect(probes['n-gram']?.leaks[0]?.feature).toMatch(/^"(sl|sli|slip|slipp)( .*)?" in this turn$/);
  expect(probes['no-text']?.overall.exactF1?.value).toBeLessThan(30);
});

test('a planted shape is found without reading a word, and named, in every domain and of either source', async () => {
  const report = await runProbe(
    labelledCorpus(240, (turn) => ({ ...turn, thought: 'hm' })),
    { probes: ['no-text'] },
  );
  const found = report.probes['no-text'];
  expect(found?.overall.exactF1?.value).toBeGreaterThan(90);
  expect(found?.overall.far?.value).toBeLessThan(5);
  expect(found?.natural.exactF1?.value).toBeGreaterThan(90);
  expect(found?.injected.unsafe).toBe(60);
  expect(found?.injected.safe).toBe(120);
  expect(found?.leaks[0]?.feature).toBe('characters of the thought, this turn');
  expect(found?.leaks[0]?.domains['math']).toBeGreaterThan(50);
  expect(report).toMatchObject({ labelled: 240, runs: 240, groups: 240 });
});

test('where nothing tells the labels, they are guessed no better than by chance', async () => {
  const { probes } = await runProbe(labelledCorpus(240));
  for (const findings of Object.values(probes)) expect(findings.overall.exactF1?.value).toBeLessThan(30);
});

test('runs of a test split are not looked at', async () => {
  const corpus = labelledCorpus(60).map(
    (sample, at): Sample => ({ ...sample, split: at < 20 ? 'test' : 'train' }),
  );
  expect((await runProbe(corpus, { probes: ['no-text'], folds: 2 })).runs).toBe(40);
});

test('the same whatever order the runs come in, also where more come than are looked at', async () => {
  const corpus = labelledCorpus(120, (turn) => ({ ...turn, thought: 'hm' }));
  const options = { probes: ['no-text'], mostRuns: 60, folds: 2 } as const;
  const report = await runProbe(corpus, options);
  expect(report).toMatchObject({ labelled: 120, runs: 60 });
  expect(await runProbe(corpus.toReversed(), options)).toEqual(report);
});

test('too few runs are refused, in one line', async () => {
  await expect(runProbe(labelledCorpus(12))).rejects.toThrow(
    /\[agentforesight\] \[probe\] 6 safe and 6 unsafe runs in 12 groups are too few to probe\. Give/,
  );
});

test('it stops when it is told to', async () => {
  const signal = AbortSignal.abort(new Error('enough'));
  await expect(runProbe(labelledCorpus(60), { signal })).rejects.toThrow('enough');
});

const folder = dataFolder('aftraj');

describe.skipIf(!folder)('AFTraj as published', () => {
  test('gives its labels away to a probe that reads no text', { timeout: 180_000 }, async () => {
    const samples = await afTrajSamples(folder ?? '');
    const { runs, probes } = await runProbe(samples, { probes: ['no-text'] });
    expect(runs).toBe(2276);
    expect(probes['no-text']?.overall.exactF1Paper?.value).toBeGreaterThanOrEqual(65);
    expect(probes['no-text']?.overall.exactF1?.value).toBeGreaterThanOrEqual(65);
  });

  test('and nothing but chance once its labels are dealt out anew', { timeout: 180_000 }, async () => {
    const samples = (await afTrajSamples(folder ?? '')).filter((_, at) => at % 4 === 0);
    const labels = samples.map(({ label }) => label);
    const dealt = samples.map((sample, at): Sample => {
      const label = labels[(at * 167) % labels.length] as RunLabel;
      if (label.kind === 'safe') return { ...sample, label };
      return { ...sample, label: { ...label, step: Math.min(label.step, sample.turns.length - 1) } };
    });
    const { probes } = await runProbe(dealt, { probes: ['no-text'] });
    expect(probes['no-text']?.overall.exactF1?.value).toBeLessThan(30);
  });
});
