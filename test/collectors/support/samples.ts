import type { RecordedRun } from '../../../collectors/recorded-run.js';
import type { Sample } from '../../../collectors/sample.js';

/** A short run, to be varied. */
export function sampleOf(id: string, changes: Partial<Sample> = {}): Sample {
  const task = changes.task ?? `The task of ${id}`;
  return {
    id,
    task,
    tools: [],
    turns: [
      { agent: 'user', kind: 'user', content: task },
      { agent: 'solver', kind: 'agent', content: `What ${id} says.` },
    ],
    provenance: { format: 'test', source: id },
    ...changes,
  };
}

/** A recorded run of AFTraj on its way to training data. */
export function asSample({
  runId,
  quirks: _quirks,
  recorded: _recorded,
  source,
  ...run
}: RecordedRun): Sample {
  return { ...run, id: runId, provenance: { format: 'aftraj', source, licence: 'CC-BY-4.0' } };
}

export async function* streamed<Item>(items: Iterable<Item>): AsyncGenerator<Item> {
  yield* items;
}
