import { expect, test } from 'vitest';
import type { SampleTurn } from '../../../collectors/sample.js';
import { finalAnswer } from '../../../collectors/scorers/final-answer.js';

const says = (content: string, more: Partial<SampleTurn> = {}): SampleTurn => ({
  agent: 'A',
  kind: 'agent',
  content,
  ...more,
});
const submits = (name: string, args: unknown) =>
  says('Here it is.', { toolCalls: [{ id: '', name, args: args as never }] });

test.each<[string, SampleTurn[], string | undefined]>([
  ['an announcement', [says('So it is.\nANSWER_VERIFIED: 12 cm\n')], '12 cm'],
  ['the last of two', [says('FINAL ANSWER: 1\nNo.\nFINAL ANSWER: 2')], '2'],
  ['a sentence', [says('The final answer is $\\boxed{\\frac{1}{2}}$.')], '\\frac{1}{2}'],
  ['a box', [says('so that $x = \\boxed{\\frac{a}{b}}$, as it should')], '\\frac{a}{b}'],
  ['an announcement beside a box', [says('\\boxed{(-2,1)}\nANSWER_VERIFIED: (-2, 1)')], '(-2, 1)'],
  ['a box that does not close', [says('\\boxed{1')], '\\boxed{1'],
  ['a whole turn', [says(' Rome ')], 'Rome'],
  [
    'the last output of code',
    [says('Execution logs:\nLast output from code snippet:\nJoan of\nArc', { kind: 'tool' })],
    'Joan of\nArc',
  ],
  ['a submitted text', [submits('final_answer', { answer: 'Rome' })], 'Rome'],
  ['a submitted number', [submits('submit', 12)], '12'],
  ['a submitted list', [submits('submit', { answer: [1, 2] })], '[1,2]'],
  ['what is thought, where nothing is said', [says('', { thought: 'the answer is 3' })], '3'],
  ['the turn before, where the last is empty', [says('4'), says(' ')], '4'],
  ['nothing of the user', [says('5'), says('Thanks!', { kind: 'user' })], '5'],
  ['nothing', [says('What?', { kind: 'user' })], undefined],
])('%s', (_, turns, answer) => {
  expect(finalAnswer(turns)).toBe(answer);
});
