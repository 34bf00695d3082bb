import { truthOf } from '../../bench/bench-run.js';
import { benchRuns } from '../../bench/datasets.js';
import { withTruths } from '../../bench/per-sample/with-truths.js';
import { DIMENSIONS, type Dimension } from '../../bench/score/breakdown.js';
import { scorePredictions } from '../../bench/score.js';
import { SetupError } from '../../core/index.js';
import { ExitCode } from '../exit-code.js';
import { type ScoredFile, scoresText } from './score/print.js';
import { readScorable } from './score/read-scorable.js';

export interface ScoreOptions {
  /** The dataset that the predictions were made on, for what a foreign file does not tell of its runs. */
  readonly data?: readonly string[];
  /** Names of dimensions, with commas between them. Default: all. */
  readonly by?: string;
  /** Of the resamples. */
  readonly seed?: number;
  readonly json?: boolean;
}

const UNJOINED =
  'without --data, runs that share a task are taken for independent, and nobody knows who made the mistakes';

/** `agentforesight bench score`: what predictions are worth, with intervals. */
export async function score(
  files: readonly string[],
  { data, by, seed, json = false }: ScoreOptions,
  stop: AbortSignal,
): Promise<number> {
  const dimensions = by === undefined ? DIMENSIONS : dimensionsIn(by);
  const truths = data && (await benchRuns(data)).runs.map(truthOf);
  const scored: ScoredFile[] = [];
  for (const file of files) {
    if (stop.aborted) return ExitCode.interrupted;
    const { predictions, isForeign, ...known } = await readScorable(file);
    const joined = truths ? withTruths(predictions, truths, file) : predictions;
    const remarks = isForeign && !truths ? [...known.remarks, UNJOINED] : known.remarks;
    const one = { ...known, remarks, scores: scorePredictions(joined, { by: dimensions, seed }) };
    scored.push(one);
    if (!json)
      console.log(`${scored.length > 1 ? '\n' : ''}${scoresText(one, process.stdout.columns ?? 160)}`);
  }
  if (json) console.log(JSON.stringify({ files: scored }));
  return ExitCode.ok;
}

function dimensionsIn(text: string): readonly Dimension[] {
  return text.split(',').map((given) => {
    const found = DIMENSIONS.find((dimension) => dimension === given.trim());
    if (found) return found;
    throw new SetupError(
      'bench score',
      `--by ${given.trim()}`,
      `It takes ${DIMENSIONS.join(', ')}, with commas between them`,
    );
  });
}
