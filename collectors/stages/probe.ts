import { type JsonValue, SetupError } from '../../core/index.js';
import { LimitExceeded } from '../limit-exceeded.js';
import type { ProbeName } from '../probe/probe-kind.js';
import { type ProbeFindings, type ProbeReport, runProbe } from '../probe/run-probe.js';
import type { Stage } from '../stage.js';

export interface ProbeStageOptions {
  /**
   * Percent of Exact-F1, strict, by the released code's definition, that no probe may reach over all runs. Without one,
   * the probes' results are only told.
   */
  readonly limit?: number | undefined;
  /** Labelled runs that are looked at, at most. Default: 5,000. */
  readonly mostRuns?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
}

/**
 * Lets small models guess the labels of the corpus, and hands its samples on as they are. The manifest says how much they
 * guessed and which features told them.
 * @throws SetupError on an option out of range
 */
export function probeStage({ limit, mostRuns = 5_000, seed = 1 }: ProbeStageOptions = {}): Stage {
  if (limit !== undefined && !(limit > 0 && limit <= 100))
    throw new SetupError('probe', `limit is ${limit}`, 'Give percent of Exact-F1, such as 40');
  if (!Number.isSafeInteger(mostRuns) || mostRuns < 1)
    throw new SetupError('probe', `mostRuns is ${mostRuns}`, 'Give a whole number, such as 5000');
  if (!Number.isSafeInteger(seed)) throw new SetupError('probe', `seed is ${seed}`, 'Give a whole number');
  return {
    name: 'probe',
    options: { limit: limit ?? null, mostRuns, seed },
    async prepare(samples, signal) {
      const report = await runProbe(samples, { mostRuns, seed, signal });
      const told = toJson(report);
      if (limit !== undefined) requireBelow(limit, report, told);
      return told;
    },
    async process(sample) {
      return { samples: [sample], decisions: [] };
    },
  };
}

const NAMED_LEAKS = 3;

function requireBelow(limit: number, report: ProbeReport, told: JsonValue): void {
  const guessed = Object.entries(report.probes) as [ProbeName, ProbeFindings][];
  const worst = guessed
    .map(([name, { overall, leaks }]) => ({ name, f1: overall.exactF1?.value ?? 0, leaks }))
    .reduce((one, other) => (other.f1 > one.f1 ? other : one));
  if (worst.f1 < limit) return;
  const named = worst.leaks.slice(0, NAMED_LEAKS).map(({ feature }) => feature);
  throw new LimitExceeded(
    `the ${worst.name} probe guesses the labels with a strict Exact-F1 of ${worst.f1}, the limit is ${limit}; what tells most: ${named.join('; ')}`,
    told,
  );
}

function toJson(report: ProbeReport): JsonValue {
  return JSON.parse(JSON.stringify(report)) as JsonValue;
}
