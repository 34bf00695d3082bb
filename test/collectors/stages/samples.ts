import type { Sample, SampleTurn } from '../../../collectors/sample.js';
import type { Stage, StageResult } from '../../../collectors/stage.js';

export const turns: readonly SampleTurn[] = [
  { agent: 'user', kind: 'user', content: 'How much is 2 + 2?' },
  {
    agent: 'Solver',
    kind: 'agent',
    content: '',
    toolCalls: [{ id: 'call_0', name: 'compute', args: { expression: '2+2' } }],
  },
  { agent: 'Solver', kind: 'tool', content: '4', toolName: 'compute', toolCallId: 'call_0' },
  { agent: 'Verifier', kind: 'agent', content: 'ANSWER_VERIFIED: 4' },
];

export const sampleOf = (more: Partial<Sample> = {}): Sample => ({
  id: 'run-1',
  task: 'How much is 2 + 2?',
  tools: [{ name: 'compute' }],
  turns,
  domain: 'math',
  provenance: { format: 'test', source: 'here' },
  ...more,
});

export const scored = (value: 0 | 1) => ({ value, by: 'math', reason: 'so' });

export const processed = (stage: Stage, sample: Sample): Promise<StageResult> =>
  stage.process(sample, new AbortController().signal);
