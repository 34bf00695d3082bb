import { type Prefix, Trajectory } from '../../core/index.js';
import type { Sample } from '../sample.js';

/** The prefixes of a run in order, as an auditor would have seen them: the one at place k ends with turn k. */
export function* runPrefixes({ turns }: Pick<Sample, 'turns'>): Generator<Prefix> {
  const trajectory = new Trajectory();
  for (const [step, { action: _action, ...turn }] of turns.entries())
    yield trajectory.append({ ...turn, id: turn.id ?? `turn-${step}`, at: turn.at ?? 0, path: [] });
}
