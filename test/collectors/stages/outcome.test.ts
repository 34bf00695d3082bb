import { expect, test } from 'vitest';
import { callbackScorer } from '../../../collectors/scorers/callback-scorer.js';
import { feedbackScorer } from '../../../collectors/scorers/feedback-scorer.js';
import { mathScorer } from '../../../collectors/scorers/math-scorer.js';
import { rubricScorer } from '../../../collectors/scorers/rubric-scorer.js';
import type { Scorer } from '../../../collectors/scorers/scorer.js';
import { outcomeStage } from '../../../collectors/stages/outcome.js';
import { SetupError } from '../../../core/index.js';
import { failsWith, ScriptedJudge } from '../../support/scripted-judge.js';
import { processed, sampleOf, scored } from './samples.js';

test('writes the outcome of the first scorer that the sample is for', async () => {
  const stage = outcomeStage({
    scorers: [feedbackScorer(), mathScorer(), rubricScorer({ judge: new ScriptedJudge() })],
  });
  const sample = sampleOf({ reference: '2^2' });
  const { samples, decisions } = await processed(stage, sample);
  expect(samples).toEqual([
    { ...sample, outcome: { value: 1, by: 'math', reason: 'the answer equals the reference' } },
  ]);
  expect(decisions).toEqual([
    {
      id: 'run-1',
      rule: 'outcome',
      verdict: 'keep',
      reason: 'math: 1: the answer equals the reference',
      evidence: { reference: '2^2', answer: '4' },
    },
  ]);
});

test('a failure is an outcome as well, and drops nothing', async () => {
  const stage = outcomeStage({ scorers: [feedbackScorer()] });
  const { samples } = await processed(stage, sampleOf({ feedback: { value: 0, by: 'thumbs' } }));
  expect(samples[0]?.outcome?.value).toBe(0);
});

test.each([undefined, scored(1)])('what no scorer is for keeps what it has: %o', async (outcome) => {
  const stage = outcomeStage({ scorers: [feedbackScorer()] });
  const sample = sampleOf({ outcome });
  const { samples, decisions } = await processed(stage, sample);
  expect(samples[0]).toBe(sample);
  expect(decisions[0]).toMatchObject({ verdict: 'keep', reason: 'no scorer is for it' });
});

test.each([
  ['errors', failsWith('error', 'down'), 'rubric: error: down'],
  ['times out', failsWith('timeout', 'late'), 'rubric: timeout: late'],
  ['has no budget', failsWith('budget', 'spent'), 'rubric: budget: spent'],
  ['talks nonsense', { answer: { success: 'perhaps' } }, 'rubric: nonsense: '],
])(
  'a judge that %s loses nothing: the sample waits, and no later scorer is asked',
  async (_, reply, reason) => {
    const later = callbackScorer({ name: 'later', score: () => expect.unreachable('asked') });
    const judge = new ScriptedJudge().on('', reply);
    const stage = outcomeStage({ scorers: [rubricScorer({ judge }), later] });
    const { samples, decisions } = await processed(stage, sampleOf());
    expect(samples).toEqual([]);
    expect(decisions[0]).toMatchObject({ verdict: 'undecided', reason: expect.stringContaining(reason) });
  },
);

test('its options say which scorers, and how they score', () => {
  const judge = new ScriptedJudge('m');
  const { options } = outcomeStage({ scorers: [mathScorer(), rubricScorer({ judge, rubric: 'R' })] });
  expect(options).toEqual({
    scorers: [
      { name: 'math', options: { domains: ['math'] } },
      { name: 'rubric', options: { judge: 'm', rubric: 'R', domains: null } },
    ],
  });
});

test('scorers may be objects with a state', async () => {
  class Counting implements Scorer {
    readonly name = 'counting';
    readonly options = null;
    #count = 0;
    async score() {
      return { value: 1, reason: `number ${++this.#count}` } as const;
    }
  }
  const { samples } = await processed(outcomeStage({ scorers: [new Counting()] }), sampleOf());
  expect(samples[0]?.outcome?.reason).toBe('number 1');
});

test.each([{ scorers: [] }, { scorers: ['math'] }, { scorers: [feedbackScorer(), feedbackScorer()] }, {}])(
  'refuses %o',
  (options) => {
    expect(() => outcomeStage(options as never)).toThrow(SetupError);
  },
);
