import type { BenchRun } from '../bench-run.js';
import { inputDigest } from '../input-digest.js';
import type { PredictedRun } from '../prediction-schema.js';
import type { Protocol } from '../protocol.js';
import { walkRun } from '../walk-run.js';
import type { Floor } from './floor.js';
import { fittedFloors, fixedFloors } from './index.js';
import { toldInHindsight } from './told-in-hindsight.js';

export interface WalkedFloor {
  readonly floor: Floor;
  readonly predictions: readonly PredictedRun[];
}

/**
 * Every floor, one after the other, over the datasets that it is for: one without training runs gets those for which nothing
 * is chosen. Probes are fitted for each protocol anew: over AFTraj-2K, most of a minute.
 * @param runs training runs too, or nothing can be fitted
 * @throws the signal's reason
 */
export async function* walkFloors(
  runs: readonly BenchRun[],
  protocol: Protocol,
  signal: AbortSignal,
): AsyncGenerator<WalkedFloor> {
  const trained = new Set(runs.filter(isTraining).map(({ dataset }) => dataset));
  for (const floor of new Set([...fittedFloors, ...fixedFloors])) {
    const itsRuns = runs.filter(({ dataset }) =>
      (trained.has(dataset) ? fittedFloors : fixedFloors).includes(floor),
    );
    if (itsRuns.length > 0) yield { floor, predictions: await walkFloor(floor, itsRuns, protocol, signal) };
  }
}

/**
 * Fits a floor on the training runs of each dataset, and walks its other runs. Under `post-hoc` it says at the end what it
 * says under `strict` on the way.
 * @throws the signal's reason
 */
export async function walkFloor(
  floor: Floor,
  runs: readonly BenchRun[],
  protocol: Protocol,
  signal: AbortSignal,
): Promise<readonly PredictedRun[]> {
  const online = protocol === 'post-hoc' ? 'strict' : protocol;
  const predictions: PredictedRun[] = [];
  for (const [, ofDataset] of Map.groupBy(runs, ({ dataset }) => dataset)) {
    signal.throwIfAborted();
    const auditorOf = await floor.fit(ofDataset.filter(isTraining), online);
    for (const run of ofDataset) {
      if (isTraining(run)) continue;
      const said = await walkRun(run, auditorOf(run), { protocol: online, signal });
      const told = protocol === 'post-hoc' ? toldInHindsight(said) : said;
      predictions.push({ ...told, inputDigest: inputDigest(run) });
      // A rule never leaves the microtask queue, where no signal is heard.
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return predictions;
}

export function isTraining({ split }: Pick<BenchRun, 'split'>): boolean {
  return split === 'train';
}
