import { describe, expect, it } from 'vitest';
import type { Auditor } from '../../core/auditor.js';
import { type Calibration, thresholdAt, uncalibrated } from '../../core/calibration.js';
import { SetupError } from '../../core/errors.js';
import { createRuntime, type RuntimeOptions } from '../../core/runtime.js';
import type { Verdict } from '../../core/verdict.js';
import { alarmAt, approve, auditedRun, says } from '../support/audited-run.js';

const calibration: Calibration = {
  thresholds: [
    { fromStep: 0, above: 0.3 },
    { fromStep: 2, above: 0.6 },
  ],
};

/** Answers with these verdicts, from step 1 on. */
const saying =
  (...verdicts: readonly Verdict[]): Auditor['audit'] =>
  ({ prefix }) =>
    verdicts[prefix.length - 2] as Verdict;

const proceeds = (score: number): Verdict => ({ kind: 'continue', score });
const alarms = (step: number, score: number): Verdict => ({ ...alarmAt(step), score });

describe('a threshold', () => {
  it('holds from its step until the next one, the last for ever', () => {
    expect([0, 1, 2, 99].map((step) => thresholdAt(calibration, step))).toEqual([0.3, 0.3, 0.6, 0.6]);
  });

  it.each<[string, unknown]>([
    ['no threshold', []],
    ['one that begins late', [{ fromStep: 1, above: 0.5 }]],
    [
      'two for one step',
      [
        { fromStep: 0, above: 0.5 },
        { fromStep: 0, above: 0.6 },
      ],
    ],
    ['one that is no share', [{ fromStep: 0, above: 1.1 }]],
  ])('is refused at set-up: %s', (_, thresholds) => {
    expect(() => createRuntime({ calibration: { thresholds } } as RuntimeOptions)).toThrow(
      /option calibration\.thresholds/,
    );
  });
});

describe('under a calibration', () => {
  it('a Continue with too high a score is an alarm on the newest turn, and what was said is kept', async () => {
    const { session, of } = auditedRun(saying(proceeds(0.3), proceeds(0.61)), { calibration });
    expect(await session.submit(says('a'))).toEqual({ action: 'proceed' });
    const decision = await session.submit(says('b', { agent: 'writer' }));
    if (decision.action !== 'halt') throw new Error('expected a halt');
    expect(decision.halt.alarm).toMatchObject({ step: 2, agent: 'writer', score: 0.61 });
    expect(decision.halt.alarm?.reason).toMatch(/score 0\.61 exceeds the threshold 0\.6 of step 2/);
    expect(of('verdict')).toMatchObject([
      { verdict: { kind: 'continue', score: 0.3 }, threshold: 0.3, enforced: 'proceed' },
      { verdict: { kind: 'alarm' }, said: proceeds(0.61), threshold: 0.6, enforced: 'halt' },
    ]);
    expect(of('verdict')[0]).not.toHaveProperty('said.kind');
  });

  it('an alarm with too low a score proceeds, and the asking goes on until one is high enough', async () => {
    const { session, of } = auditedRun(saying(alarms(1, 0.2), proceeds(0.1), alarms(1, 0.9)), {
      calibration,
    });
    expect(await session.submit(says('a'))).toEqual({ action: 'proceed' });
    expect(await session.submit(says('b'))).toEqual({ action: 'proceed' });
    expect(await session.submit(says('c'))).toMatchObject({ action: 'halt', halt: { alarm: { step: 1 } } });
    expect(of('verdict').map(({ verdict, said }) => [verdict.kind, said?.kind])).toEqual([
      ['continue', 'alarm'],
      ['continue', undefined],
      ['alarm', undefined],
    ]);
    expect(of('verdict')[0]).toMatchObject({ said: alarms(1, 0.2), verdict: proceeds(0.2), threshold: 0.3 });
  });

  it('a verdict without a score is no verdict', async () => {
    const { session, of } = auditedRun(approve, { calibration, onAuditFailure: 'halt' });
    const decision = await session.submit(says('a'));
    expect(decision).toMatchObject({ action: 'halt', halt: { failure: { failure: { kind: 'invalid' } } } });
    expect(of('failure')[0]?.failure.message).toMatch(/no score/);
    expect(of('verdict')).toEqual([]);
  });

  it.each<[RuntimeOptions['onAlarm'] & string, string]>([
    ['observe', 'proceed'],
    ['pause', 'pause'],
    ['recover', 'recover'],
  ])(
    'onAlarm %s: what is done follows the verdict that holds, not the one that was said',
    async (onAlarm, done) => {
      const { session, of } = auditedRun(
        saying(alarms(1, 0.1), proceeds(0.9)),
        { calibration, onAlarm },
        { can: ['pause', 'recover'] },
      );
      expect(await session.submit(says('a'))).toEqual({ action: 'proceed' });
      expect((await session.submit(says('b'))).action).toBe(done);
      expect(of('verdict').map(({ verdict, enforced }) => [verdict.kind, enforced])).toEqual([
        ['continue', 'proceed'],
        ['alarm', done],
      ]);
    },
  );

  it('with nothing calibrated yet, every score is recorded and nothing alarms', async () => {
    const { session, of } = auditedRun(saying(alarms(1, 1), proceeds(1), alarms(2, 0)), {
      calibration: uncalibrated,
    });
    for (const words of ['a', 'b', 'c'])
      expect(await session.submit(says(words))).toEqual({ action: 'proceed' });
    expect(of('verdict').map(({ verdict }) => [verdict.kind, verdict.score])).toEqual([
      ['continue', 1],
      ['continue', 1],
      ['continue', 0],
    ]);
  });
});

describe('a calibration for another auditor', () => {
  const others = { ...calibration, auditor: 'another' };

  it('is refused at set-up', () => {
    const create = () => createRuntime({ calibration: others });
    expect(create).toThrow(SetupError);
    expect(create).toThrow(/for the scores of another, and the auditor is signals/);
    expect(() => createRuntime({ calibration: { ...calibration, auditor: 'signals' } })).not.toThrow();
  });

  it('is told once a run where the auditor was swapped later on', async () => {
    let name = 'another';
    const auditor: Auditor = {
      get name() {
        return name;
      },
      audit: () => proceeds(0),
    };
    const { session, diagnostics } = auditedRun(approve, { auditor, calibration: others });
    await session.submit(says('a'));
    expect(diagnostics).toEqual([]);
    name = 'candidate';
    for (const words of ['b', 'c']) await session.submit(says(words));
    expect(diagnostics.map(({ code }) => code)).toEqual(['calibration-other-auditor']);
  });
});
