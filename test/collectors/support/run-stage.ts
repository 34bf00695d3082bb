import type { Sample } from '../../../collectors/sample.js';
import type { Stage, StageDecision } from '../../../collectors/stage.js';
import type { JsonValue } from '../../../core/index.js';
import { streamed } from './samples.js';

export interface StageRun {
  readonly samples: readonly Sample[];
  readonly decisions: readonly StageDecision[];
  readonly found: JsonValue | undefined;
}

/** A stage over samples that fit into memory, as the pipeline would run it. */
export async function runStage(
  stage: Stage,
  input: readonly Sample[],
  { signal } = new AbortController(),
): Promise<StageRun> {
  const found = await stage.prepare?.(streamed(input), signal);
  const samples: Sample[] = [];
  const decisions: StageDecision[] = [];
  for (const sample of input) {
    const result = await stage.process(sample, signal);
    samples.push(...result.samples);
    decisions.push(...result.decisions);
  }
  return { samples, decisions, found };
}
