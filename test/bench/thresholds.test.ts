import { describe, expect, it } from 'vitest';
import { heldOutCheck, thresholdReport } from '../../bench/thresholds.js';
import { fitThresholds, InputError } from '../../core/index.js';
import { unsafe } from './support/predictions.js';
import { predictionsOf, type ScoredRun, scoredRun } from './support/scored.js';

/** Healthy runs that reach 0.01, 0.02 … 1, and failed ones whose error at step 2 is as high. */
const hundred = (changes: Partial<ScoredRun> = {}, name = 'run') =>
  Array.from({ length: 100 }, (_, at) => (at + 1) / 100).flatMap((score, at) => [
    scoredRun(`${name}-safe-${at}`, { scores: [0, score / 2, score], ...changes }),
    scoredRun(`${name}-failed-${at}`, {
      label: unsafe(2, 'Solver', at % 2 === 0 ? 'natural' : 'injected'),
      scores: [0, 0, Math.min(1, score + 0.5)],
      ...changes,
    }),
  ]);

describe('a report on thresholds', () => {
  it('picks the lowest constant threshold whose FAR is at most the one asked for, and a conformal point beside it', () => {
    const predictions = hundred();
    const report = thresholdReport(predictionsOf(predictions), 'file', { far: 0.1 });
    const [constant, conformal] = report.points;
    expect(constant).toMatchObject({
      name: 'constant',
      thresholds: [{ fromStep: 0, above: 0.9 }],
      fit: null,
    });
    expect(constant?.score.overall.far).toMatchObject({ part: 10, of: 100 });
    // Scores above 0.9: those from 0.41 on, with 0.5 more.
    expect(constant?.score.overall.stepAcc).toMatchObject({ part: 60, of: 100 });
    const safe = predictions.filter(({ truth }) => truth.label.kind === 'safe');
    const fit = fitThresholds(
      safe.map(({ truth, audits }) => ({
        task: truth.group,
        scores: audits.map(({ step, verdict }) => ({ step, score: verdict?.score ?? 0 })),
      })),
      { far: 0.1, seed: 1 },
    );
    expect(fit).toMatchObject({ thresholds: conformal?.thresholds, exceeding: conformal?.fit?.exceeding });
    expect(conformal?.score.overall.far?.value).toBeLessThan(15);
    expect(report).toMatchObject({ runs: 200, safe: 100, groups: 200, leftOut: 0, missing: null });
  });

  it('keeps natural failures apart', () => {
    const report = thresholdReport(predictionsOf(hundred()), 'file');
    expect(Object.keys(report.auroc)).toEqual(['all', 'injected', 'natural']);
    expect(report.natural?.[0]).toMatchObject({ far: 100, stepAcc: 100 });
    expect(Object.keys(report.points[0]?.score.by.source ?? {})).toEqual(['injected', 'natural']);
  });

  it('never looks at rows of a test split', () => {
    const rows = hundred({ split: 'train' });
    const alone = thresholdReport(predictionsOf(rows), 'file');
    const tests = hundred({ split: 'test', scores: [1, 1, 1] }, 'test');
    const among = thresholdReport(predictionsOf([...tests, ...rows]), 'file');
    expect(among).toEqual({ ...alone, leftOut: 200 });
  });

  it('says how many safe runs the conformal point lacks', () => {
    const report = thresholdReport(predictionsOf(hundred().slice(0, 20)), 'file', { far: 0.05 });
    expect(report.points.map(({ name }) => name)).toEqual(['constant']);
    expect(report.missing).toBe(9);
  });

  it('counts runs whose audits all failed as runs that never alarm', () => {
    const rows = [...hundred(), scoredRun('dead', { label: unsafe(0), scores: [null, null] })];
    const report = thresholdReport(predictionsOf(rows), 'file');
    expect(report.withoutScores).toBe(1);
    expect(report.sweep[0]?.stepAcc).toBe(99.01);
  });

  const unscored = {
    ...scoredRun('odd', { scores: [] }),
    audits: [{ step: 0, verdict: { kind: 'continue' as const }, ms: 1, calls: [] }],
  };
  it.each([
    ['walks that ended with an alarm', predictionsOf(hundred(), { toEnd: false }), 'Walk with --to-end'],
    ['the released protocol', predictionsOf(hundred(), { protocol: 'official' }), 'only under strict'],
    [
      'no safe run',
      predictionsOf([scoredRun('a', { label: unsafe(0), scores: [1] })]),
      'no safe run to choose on',
    ],
    ['test rows alone', predictionsOf(hundred({ split: 'test' })), 'has no rows to choose on'],
    [
      'a mix',
      predictionsOf([...hundred(), scoredRun('x', { dataset: 'other', scores: [1] })]),
      'has rows of corpus, other',
    ],
    ['no numbers', predictionsOf([...hundred(), unscored]), 'a verdict without a score, at step 0 of "odd"'],
  ])('refuses %s', (_, predictions, said) => {
    const act = () => thresholdReport(predictions, 'file.jsonl');
    expect(act).toThrow(InputError);
    expect(act).toThrow(said);
  });
});

describe('a look at held-out rows', () => {
  const rows = predictionsOf(hundred({ split: 'train' }));
  const report = thresholdReport(rows, 'file', { far: 0.1 });

  it('scores the points as they were picked', () => {
    const tests = predictionsOf(hundred({ split: 'test' }, 'test'));
    const check = heldOutCheck(report, rows, tests, 'test.jsonl');
    expect(check).toMatchObject({ runs: 200, sharedGroups: 0 });
    expect(check.scores.map(({ thresholds }) => thresholds)).toEqual(
      report.points.map(({ thresholds }) => thresholds),
    );
    expect(check.scores[0]?.score.overall.stepAcc).toMatchObject({ part: 60, of: 100 });
  });

  it('takes the test rows of a file that has both, and tells which share a task with a picked-on run', () => {
    const tests = [scoredRun('t', { split: 'test', group: 'run-safe-3', scores: [0] })];
    const both = predictionsOf([...rows.predictions, ...tests]);
    expect(heldOutCheck(report, rows, both, 'both.jsonl')).toMatchObject({ runs: 1, sharedGroups: 1 });
  });

  it.each([
    ['rows that were picked on', rows, 'has the run "run-safe-0", which the points were picked on'],
    [
      'another auditor',
      predictionsOf(hundred({}, 'test'), { auditor: 'other' }),
      'is other, but the points were picked for judge',
    ],
    ['another schedule', predictionsOf(hundred({}, 'test'), { schedule: 'own' }), 'is own'],
    [
      'another dataset',
      predictionsOf(hundred({ dataset: 'other' }, 'test')),
      'and the points are for corpus',
    ],
  ])('refuses %s', (_, tests, said) => {
    expect(() => heldOutCheck(report, rows, tests, 'test.jsonl')).toThrow(said);
  });

  it('has a digest that changes with any score, and not with the order of the runs', () => {
    const tests = hundred({}, 'test');
    const digest = (of: typeof tests) => heldOutCheck(report, rows, predictionsOf(of), 'x').digest;
    expect(digest(tests.toReversed())).toBe(digest(tests));
    expect(digest([...tests.slice(1), scoredRun('test-safe-0', { scores: [0, 0, 0.011] })])).not.toBe(
      digest(tests),
    );
  });
});
