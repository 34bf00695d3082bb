import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { Sample } from '../../../collectors/sample.js';
import { sampleOf } from './samples.js';

/** A run of five turns whose adder goes wrong at `step`. */
export function unsafeSample(id: string, step = 2, changes: Partial<Sample> = {}): Sample {
  const label: RunLabel = { kind: 'unsafe', step, agent: 'adder', reason: 'THE REASON', source: 'natural' };
  const task = `Add up the numbers of ${id}.`;
  return sampleOf(id, {
    task,
    reference: 'THE ANSWER',
    domain: 'math',
    label,
    turns: [
      { agent: 'user', kind: 'user', content: task },
      { agent: 'adder', kind: 'agent', content: 'I begin.' },
      {
        agent: 'adder',
        kind: 'agent',
        content: `${id}: 2 + 2 = 5.`,
        toolCalls: [{ id: 'call_slip', name: 'note', args: { sum: 5 } }],
        action: 'note( sum = 5 )',
      },
      { agent: 'checker', kind: 'agent', content: 'Fine.' },
      { agent: 'adder', kind: 'agent', content: 'The answer is 5.' },
    ],
    ...changes,
  });
}
