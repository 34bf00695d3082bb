import { expect, test } from 'vitest';
import { withTruths } from '../../../bench/per-sample/with-truths.js';
import { prediction, unsafe } from '../support/predictions.js';

const told = prediction({ runId: 'a', label: unsafe(1, '') }, 'continue', { step: 1 });
const { truth } = prediction(
  { runId: 'a', group: 'task 7', turns: 2, domain: 'math', label: unsafe(1, 'Solver', 'natural') },
  'continue',
);

test('what the dataset knows takes the place of what the file tells', () => {
  const [joined] = withTruths([told], [truth], 'p.jsonl');
  expect(joined).toEqual({ truth, audits: told.audits });
});

test('a run that is missing there, or labelled otherwise, is refused', () => {
  expect(() => withTruths([told], [{ ...truth, runId: 'b' }], 'p.jsonl')).toThrow(
    'p.jsonl: run a is not in the data',
  );
  expect(() => withTruths([told], [{ ...truth, dataset: 'another' }], 'p.jsonl')).toThrow('not in the data');
  expect(() => withTruths([told], [{ ...truth, label: unsafe(0) }], 'p.jsonl')).toThrow(
    'run a has 2 turns and its error at step 1 here and 2 turns and its error at step 0 in the data',
  );
  expect(() => withTruths([told], [{ ...truth, label: { kind: 'safe' } }], 'p.jsonl')).toThrow('no error');
  expect(() => withTruths([told], [{ ...truth, turns: 3 }], 'p.jsonl')).toThrow('3 turns');
});
