import { expect, test } from 'vitest';
import { randomNumbers } from '../../../collectors/probe/random-numbers.js';
import { strictScore, type WalkedRun } from '../../../collectors/probe/strict-score.js';

function walkedRun(errorStep: number | undefined, alarm: number | undefined): WalkedRun {
  const error = errorStep === undefined ? undefined : { step: errorStep, source: 'natural' as const };
  return {
    run: { id: '', domain: '', group: `${errorStep} ${alarm}`, error, shapes: [], ngrams: [] },
    alarm,
  };
}

test('both definitions, worked out by hand', () => {
  const runs = [walkedRun(3, 3), walkedRun(3, 3), walkedRun(3, 5), walkedRun(3, undefined)];
  const safe = [walkedRun(undefined, 2), walkedRun(undefined, undefined)];
  const score = strictScore([...runs, ...safe], 0, 1);
  // Recall 2/4; precision 2/3 by the paper's text, 2/(3 + 1) by the released code.
  expect(score).toMatchObject({ safe: 2, unsafe: 4, ass: 0.67 });
  expect(score.exactF1Paper?.value).toBe(57.14);
  expect(score.exactF1?.value).toBe(50);
  expect(score.stepAcc?.value).toBe(50);
  // Clopper and Pearson for 1 of 2.
  expect(score.far).toEqual({ value: 50, low: 1.26, high: 98.74 });
});

test('what cannot be counted is null', () => {
  expect(strictScore([walkedRun(undefined, undefined)], 10, 1)).toMatchObject({
    exactF1: null,
    exactF1Paper: null,
    stepAcc: null,
    ass: null,
  });
  expect(strictScore([walkedRun(1, undefined)], 10, 1)).toMatchObject({ far: null, exactF1: { value: 0 } });
});

test('the bootstrap draws groups, and its interval holds the value', () => {
  const runs = Array.from({ length: 50 }, (_, at) => walkedRun(at, at % 3 ? at : undefined));
  const { exactF1 } = strictScore(runs, 500, 1);
  expect(exactF1?.low).toBeLessThan(exactF1?.value ?? 0);
  expect(exactF1?.high).toBeGreaterThan(exactF1?.value ?? 100);
  const oneGroup = runs.map(({ run, alarm }) => ({ run: { ...run, group: 'one' }, alarm }));
  const { exactF1: certain } = strictScore(oneGroup, 500, 1);
  expect(certain?.low).toBe(certain?.high);
});

test('a seed, and the order of the runs, give the intervals that were published with it', () => {
  const random = randomNumbers(7);
  const runs = Array.from({ length: 300 }, (_, at): WalkedRun => {
    const errorStep = random() < 0.5 ? Math.floor(random() * 6) : undefined;
    const alarm = random() < 0.7 ? Math.floor(random() * 6) : undefined;
    const { run } = walkedRun(errorStep, alarm);
    return { run: { ...run, group: `g${at % 97}` }, alarm };
  });
  expect(strictScore(runs, 1_000, 1)).toEqual({
    safe: 169,
    unsafe: 131,
    exactF1Paper: { value: 9.17, low: 4.26, high: 14.42 },
    exactF1: { value: 6.35, low: 3.04, high: 9.83 },
    far: { value: 57.4, low: 49.57, high: 64.96 },
    stepAcc: { value: 7.63, low: 3.72, high: 13.59 },
    ass: 1.95,
  });
});
