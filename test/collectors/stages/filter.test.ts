import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import type { Question } from '../../../collectors/judge/judge.js';
import { filterStage } from '../../../collectors/stages/filter.js';
import { SetupError } from '../../../core/index.js';
import { failsWith, type Scripted, ScriptedJudge } from '../../support/scripted-judge.js';
import { dataFolder } from '../support/data-folder.js';
import { processed, sampleOf, scored, turns } from './samples.js';

const success = sampleOf({ outcome: scored(1) });

/** The steps that a question asks about. */
const askedOf = ({ prompt }: Question<unknown>): readonly number[] =>
  JSON.parse(prompt.trimEnd().split('\n').at(-1) ?? '').judge;
const allAligned = (question: Question<unknown>): Scripted => ({
  answer: { aligned: askedOf(question), misaligned: [] },
});
const coherent = () => new ScriptedJudge().always('', allAligned);

const verdicts = (decisions: readonly { rule: string; verdict: string }[]) =>
  decisions.map(({ rule, verdict }) => `${rule}: ${verdict}`);

test('a success whose calls are valid and whose turns cohere is safe', async () => {
  const judge = coherent();
  const { samples, decisions } = await processed(filterStage({ judge }), success);
  expect(samples).toEqual([{ ...success, label: { kind: 'safe' } }]);
  expect(verdicts(decisions)).toEqual(['outcome: keep', 'integrity: keep', 'coherence: keep']);
  expect(judge.calls.map(askedOf)).toEqual([[1, 3]]);
});

describe('outcome', () => {
  test.each([
    [
      'a label without an outcome',
      sampleOf({ label: { kind: 'safe' } }),
      'keep',
      'the corpus labels it safe',
    ],
    ['a label with a right outcome', { ...success, label: { kind: 'safe' } as const }, 'keep', 'math: so'],
    [
      'a label with a wrong outcome',
      sampleOf({ label: { kind: 'safe' }, outcome: scored(0) }),
      'drop',
      'labelled safe, but math says: so',
    ],
    ['neither', sampleOf(), 'drop', 'nobody has said whether it succeeded'],
  ])('%s', async (_, sample, verdict, reason) => {
    const { samples, decisions } = await processed(filterStage(), sample);
    expect(decisions[0]).toEqual({ id: 'run-1', rule: 'outcome', verdict, reason });
    expect(samples).toHaveLength(verdict === 'keep' ? 1 : 0);
    expect(decisions).toHaveLength(verdict === 'keep' ? 3 : 1);
  });

  test.each([
    [
      'labelled unsafe',
      sampleOf({ label: { kind: 'unsafe', step: 1, agent: 'Solver' }, outcome: scored(1) }),
    ],
    ['failed, for the annotators', sampleOf({ outcome: scored(0) })],
  ])('what is %s passes untouched, and nobody is asked', async (_, sample) => {
    const { samples, decisions } = await processed(filterStage({ judge: new ScriptedJudge() }), sample);
    expect(samples[0]).toBe(sample);
    expect(verdicts(decisions)).toEqual(['filter: keep']);
  });
});

test('an invalid call drops the run before a judge is paid for it, with all faults', async () => {
  const stage = filterStage({ judge: new ScriptedJudge() });
  const { samples, decisions } = await processed(stage, { ...success, tools: [{ name: 'other' }] });
  expect(samples).toEqual([]);
  expect(decisions.at(-1)).toEqual({
    id: 'run-1',
    rule: 'integrity',
    verdict: 'drop',
    reason: "step 1: compute is none of the run's tools",
    evidence: { faults: [{ step: 1, fault: "compute is none of the run's tools" }], exceptions: [] },
  });
});

describe('coherence', () => {
  test('one turn that is not aligned drops the run', async () => {
    const misaligned = [{ step: 3, reason: 'checks another sum' }];
    const judge = new ScriptedJudge().on('', { answer: { aligned: [1], misaligned } });
    const { samples, decisions } = await processed(filterStage({ judge }), success);
    expect(samples).toEqual([]);
    expect(decisions.at(-1)).toEqual({
      id: 'run-1',
      rule: 'coherence',
      verdict: 'drop',
      reason: 'step 3 is not aligned with its sub-goal: checks another sum',
      evidence: [{ aligned: [1], misaligned }],
    });
  });

  test('long runs are asked about in parts, each shown no later turn', async () => {
    const judge = coherent();
    const long = { ...success, turns: [...turns, ...turns.slice(1), ...turns.slice(1)] };
    await processed(filterStage({ judge, turnsPerQuestion: 2 }), long);
    expect(judge.calls.map(askedOf)).toEqual([
      [1, 3],
      [4, 6],
      [7, 9],
    ]);
    expect(judge.calls.map(({ prompt }) => /"step":4/.test(prompt))).toEqual([false, true, true]);
  });

  test('without a judge nobody is asked, and the decision says so', async () => {
    const { samples, decisions } = await processed(filterStage(), success);
    expect(samples).toHaveLength(1);
    expect(decisions.at(-1)?.reason).toBe('not asked: there is no judge');
  });

  test.each([
    ['errors', failsWith('error')],
    ['times out', failsWith('timeout')],
    ['has no budget', failsWith('budget')],
    ['talks nonsense', { answer: 'fine' }],
    ['forgets a step', { answer: { aligned: [1], misaligned: [] } }],
    ['judges another step', { answer: { aligned: [1, 2, 3], misaligned: [] } }],
    ['judges a step twice', { answer: { aligned: [1, 3], misaligned: [{ step: 3, reason: 'x' }] } }],
  ])('a judge that %s decides nothing: the run waits, and is counted', async (_, reply) => {
    const judge = new ScriptedJudge().on('', reply);
    const { samples, decisions } = await processed(filterStage({ judge }), success);
    expect(samples).toEqual([]);
    expect(verdicts(decisions)).toEqual(['outcome: keep', 'integrity: keep', 'coherence: undecided']);
    expect(decisions.at(-1)?.reason).toMatch(/^1 of 1 questions failed: /);
  });

  test('what one question has settled, the failure of another does not open', async () => {
    const judge = new ScriptedJudge().on('', failsWith('timeout'), {
      answer: { aligned: [], misaligned: [{ step: 3, reason: 'x' }] },
    });
    const { decisions } = await processed(filterStage({ judge, turnsPerQuestion: 1 }), success);
    expect(decisions.at(-1)?.verdict).toBe('drop');
  });
});

test.each([{ turnsPerQuestion: 0 }, { judge: 'gpt' }, { codeTools: 'python' }, { rules: [] }])(
  'refuses %o',
  (options) => {
    expect(() => filterStage(options as object)).toThrow(SetupError);
  },
);

const folder = dataFolder('aftraj');

test.skipIf(!folder)('all of AFTraj: its safe runs are whole, code in place of JSON included', async () => {
  const judge = coherent();
  const stage = filterStage({ judge });
  const counts = { safe: 0, unsafe: 0, dropped: 0, code: 0 };
  for (const file of ['aftraj_safe.parquet', 'aftraj_unsafe.parquet']) {
    for await (const { runId: id, task, tools, turns, label, source } of readAfTraj(
      join(folder ?? '', file),
    )) {
      const sample = { id, task, tools, turns, label, provenance: { format: 'aftraj', source } };
      const { samples, decisions } = await processed(stage, sample);
      if (samples[0]) counts[samples[0].label?.kind ?? 'dropped']++;
      else counts.dropped++;
      if (decisions.some(({ reason }) => reason.includes('python_interpreter are code'))) counts.code++;
    }
  }
  expect(counts).toEqual({ safe: 1_162, unsafe: 1_114, dropped: 0, code: 285 });
  // One question each, and a second for the 19 with more than 24 turns of agents.
  expect(judge.calls).toHaveLength(1_162 + 19);
});
