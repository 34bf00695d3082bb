import type { Sample } from '../../../collectors/sample.js';
import type { StageDecision } from '../../../collectors/stage.js';
import type { CompletenessReport } from '../../../collectors/stages/ingest/completeness.js';
import { type IngestOptions, ingestSource } from '../../../collectors/stages/ingest.js';

export interface Ingested {
  readonly samples: readonly Sample[];
  readonly decisions: readonly StageDecision[];
  readonly report: CompletenessReport;
}

/** Everything that a source gives, in memory. */
export async function ingested(
  paths: readonly string[],
  options: Partial<IngestOptions> = {},
): Promise<Ingested> {
  const source = ingestSource({ paths, ...options });
  const results = await Array.fromAsync(source.read(new AbortController().signal));
  return {
    samples: results.flatMap(({ samples }) => samples),
    decisions: results.flatMap(({ decisions }) => decisions),
    report: source.report?.().whole as unknown as CompletenessReport,
  };
}
