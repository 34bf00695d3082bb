import { describe, expect, test } from 'vitest';
import type { BenchRun } from '../../../bench/bench-run.js';
import type { Floor } from '../../../bench/floors/floor.js';
import { ngramProbeFloor, noTextProbeFloor } from '../../../bench/floors/probe-floor.js';
import { walkFloor } from '../../../bench/floors/walk-floors.js';
import { scorePredictions } from '../../../bench/score.js';
import { walkRun } from '../../../bench/walk-run.js';
import type { SampleTurn } from '../../../collectors/sample.js';
import { labelledCorpus } from '../../collectors/support/labelled-corpus.js';
import { fromSample } from '../support/bench-runs.js';

const { signal } = new AbortController();

const withThought = (turn: SampleTurn): SampleTurn => ({ ...turn, thought: 'hm' });
/** A word of the same length in its place. */
const withWord = (turn: SampleTurn): SampleTurn => ({
  ...turn,
  content: turn.content.replace(/^\S+/, (word) => 'slip'.padEnd(word.length, 'p').slice(0, word.length)),
});

function corpus(plant?: (turn: SampleTurn) => SampleTurn): readonly BenchRun[] {
  return labelledCorpus(240, plant).map((sample, at) => fromSample(sample, at < 180 ? 'train' : 'test'));
}

async function f1(floor: Floor, runs: readonly BenchRun[]): Promise<number> {
  const [score] = scorePredictions(await walkFloor(floor, runs, 'strict', signal), { resamples: 0 });
  return score?.overall.exactF1Released?.value ?? Number.NaN;
}

describe('on runs that were not there when it was fitted', () => {
  test('a planted shape is found without reading a word', async () => {
    expect(await f1(noTextProbeFloor, corpus(withThought))).toBeGreaterThan(90);
  });

  test('a planted word by the probe of tokens alone', async () => {
    expect(await f1(ngramProbeFloor, corpus(withWord))).toBeGreaterThan(70);
    expect(await f1(noTextProbeFloor, corpus(withWord))).toBeLessThan(30);
  });

  test('where nothing tells the labels, they are guessed no better than by chance', async () => {
    expect(await f1(noTextProbeFloor, corpus())).toBeLessThan(30);
  });
});

test('what is said of a prefix does not depend on later turns', async () => {
  const runs = corpus(withWord);
  const training = runs.filter(({ split }) => split === 'train');
  const auditorOf = await ngramProbeFloor.fit(training, 'strict');
  const saidOf = async (bench: BenchRun) => {
    const walked = await walkRun(bench, auditorOf(bench), { protocol: 'strict', toEnd: true, signal });
    return walked.audits.map(({ verdict }) => verdict);
  };
  for (const bench of runs.slice(200, 210)) {
    const whole = await saidOf(bench);
    const label = { kind: 'safe' } as const;
    const cut = { ...bench, run: { ...bench.run, label, turns: bench.run.turns.slice(0, 4) } };
    expect(await saidOf(cut)).toEqual(whole.slice(0, 4));
  }
});

test('the order of the training runs does not matter', async () => {
  const runs = corpus(withThought);
  const [one, other] = [runs, runs.toReversed()].map(async (some) => {
    const walked = await walkFloor(noTextProbeFloor, some, 'strict', signal);
    return new Map(walked.map(({ truth, audits }) => [truth.runId, audits.map(({ verdict }) => verdict)]));
  });
  expect(await one).toEqual(await other);
});
