import { expect, test } from 'vitest';
import { Evidence } from '../../../bench/score/evidence.js';
import { talliedRun } from '../../../bench/score/tallied-run.js';
import { paperF1, releasedF1 } from '../../../collectors/first-alarms/exact-f1.js';
import { prediction, type Said, unsafe } from '../support/predictions.js';

const failedRun = (runId: string, group: string, said: Said) =>
  talliedRun(prediction({ runId, group, label: unsafe(0) }, said));

/** 12 runs of which half are hits, parted into as many groups as asked. */
function halfHit(groups: number) {
  return Array.from({ length: 12 }, (_, at) =>
    failedRun(String(at), `g${Math.floor((at * groups) / 12)}`, at < 6 ? { step: 0 } : 'continue'),
  );
}

test('runs of one task are one piece of evidence: the interval of two groups is as wide as can be', () => {
  const ofTwo = new Evidence(halfHit(2), 1_000, 1).share('exact', 'unsafe');
  expect(ofTwo).toMatchObject({ value: 50, low: 0, high: 100 });
  const ofTwelve = new Evidence(halfHit(12), 1_000, 1).share('exact', 'unsafe');
  // About 1.96 sqrt(0.25 / 12), 28 points to each side; shares of 12 runs move in steps of 8.3.
  expect(ofTwelve).toMatchObject({ value: 50, low: 25, high: 75 });
});

test('where nothing hits, no resample can: Clopper and Pearson over groups says how much may be unseen', () => {
  const runs = Array.from({ length: 30 }, (_, at) => failedRun(String(at), `g${at % 3}`, 'continue'));
  const evidence = new Evidence(runs, 100, 1);
  // 1 - 0.025^(1/3)
  expect(evidence.share('exact', 'unsafe')).toMatchObject({ value: 0, low: 0, high: 70.76 });
  const all = new Evidence(
    runs.map(({ truth }) => failedRun(truth.runId, truth.group, { step: 0 })),
    100,
    1,
  );
  expect(all.share('exact', 'unsafe')).toMatchObject({ value: 100, low: 29.24, high: 100 });
  expect(all.exactF1(paperF1)).toEqual({ value: 100, low: 29.24, high: 100 });
});

test('an Exact-F1 of 0 is as sure as the recall it is made of', () => {
  const quiet = new Evidence([failedRun('a', 'a', 'continue'), failedRun('b', 'b', 'continue')], 100, 1);
  // Recall at most r = 1 - 0.025^(1/2) = 0.8419, with as many alarms: 2 r / (1 + r).
  expect(quiet.exactF1(releasedF1)).toEqual({ value: 0, low: 0, high: 91.42 });
});

test('groups that have nothing to say of a share are no trials of it', () => {
  const runs = [
    failedRun('a', 'a', 'continue'),
    ...['b', 'c', 'd'].map((id) => talliedRun(prediction({ runId: id }, 'continue'))),
  ];
  // One group with an unsafe run: 1 - 0.025
  expect(new Evidence(runs, 100, 1).share('exact', 'unsafe')).toMatchObject({ value: 0, low: 0, high: 97.5 });
});

test('resamples without a whole are left out', () => {
  const runs = [failedRun('a', 'a', { step: 0 }), failedRun('b', 'b', 'continue')];
  const safe = Array.from({ length: 6 }, (_, at) => talliedRun(prediction({ runId: `s${at}` }, 'continue')));
  expect(new Evidence([...runs, ...safe], 500, 1).share('exact', 'unsafe')).toMatchObject({
    value: 50,
    low: 0,
    high: 100,
  });
});

test('a mean has an interval too', () => {
  const runs = [0, 4].map((step) =>
    talliedRun(prediction({ runId: `r${step}`, label: unsafe(0) }, 'continue', { step })),
  );
  expect(new Evidence(runs, 1_000, 1).mean('shift', 'flagged')).toEqual({ value: 2, low: 0, high: 4 });
});
