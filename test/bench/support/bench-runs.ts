import type { BenchRun } from '../../../bench/bench-run.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { Sample, SampleTurn } from '../../../collectors/sample.js';

export interface RunParts {
  readonly id?: string;
  readonly domain?: string;
  readonly split?: 'train' | 'test';
  readonly label?: RunLabel;
}

/** A run of turns told in short: `user: 6 times 7?`, `environment: 42`. Turn 0 is the task, whoever speaks it. */
export function benchRun(
  told: readonly (string | SampleTurn)[],
  { id = 'run', domain = 'math', split = 'train', label = { kind: 'safe' } }: RunParts = {},
): BenchRun {
  const turns = told.map((turn, step) => (typeof turn === 'string' ? turnOf(turn, step) : turn));
  const task = turns[0]?.content ?? '';
  return {
    run: { runId: id, source: 'here', task, tools: [], turns, label, domain, quirks: [] },
    dataset: 'hand-made',
    split,
    group: id,
  };
}

export function fromSample(sample: Sample, split: 'train' | 'test'): BenchRun {
  const { id, task, tools, turns, domain, label = { kind: 'safe' } } = sample;
  return {
    run: { runId: id, source: 'here', task, tools, turns, label, domain, quirks: [] },
    dataset: 'hand-made',
    split,
    group: id,
  };
}

function turnOf(told: string, step: number): SampleTurn {
  const [agent = '', ...words] = told.split(': ');
  const kind = step === 0 || agent === 'user' ? 'user' : agent === 'environment' ? 'tool' : 'agent';
  return { agent, kind, content: words.join(': ') };
}
