import { InputError } from '../../core/index.js';
import type { Truth } from '../bench-run.js';
import type { Prediction } from '../prediction.js';
import { keyOf } from '../predictions-file.js';

/**
 * The predictions, with what the dataset knows of their runs and a foreign file does not: who made the mistake, whether
 * it was injected, which runs share a task.
 * @param file that the predictions are of
 * @throws InputError where a run is not in the dataset, or file and dataset label it differently
 */
export function withTruths(
  predictions: readonly Prediction[],
  truths: Iterable<Truth>,
  file: string,
): readonly Prediction[] {
  const byRun = new Map(Array.from(truths, (truth) => [keyOf(truth), truth]));
  return predictions.map(({ truth: told, audits }) => {
    const truth = byRun.get(keyOf(told));
    if (!truth)
      throw new InputError(
        { file },
        `run ${told.runId} is not in the data`,
        'Give the dataset that it was made on',
      );
    if (truth.turns !== told.turns || stepOf(truth) !== stepOf(told))
      throw new InputError(
        { file },
        `run ${told.runId} has ${described(told)} here and ${described(truth)} in the data`,
        'Give the version of the dataset that it was made on',
      );
    return { truth, audits };
  });
}

function stepOf({ label }: Truth): number | undefined {
  return label.kind === 'unsafe' ? label.step : undefined;
}

function described(truth: Truth): string {
  const step = stepOf(truth);
  return `${truth.turns} turns and ${step === undefined ? 'no error' : `its error at step ${step}`}`;
}
