import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { BenchRun } from '../../bench/bench-run.js';
import { benchRuns } from '../../bench/datasets.js';
import type { Floor } from '../../bench/floors/floor.js';
import { isTraining, type WalkedFloor, walkFloor, walkFloors } from '../../bench/floors/walk-floors.js';
import { inputDigest } from '../../bench/input-digest.js';
import { PREDICTIONS_VERSION, writePredictions } from '../../bench/predictions-file.js';
import type { Protocol } from '../../bench/protocol.js';
import { runFiles } from '../../collectors/importers/run-files.js';
import { digestOf } from '../../collectors/pipeline/digest.js';
import { InputError, type JsonValue, messageOf, signalsAuditor } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { Progress } from '../progress.js';
import { refuseAsInput } from '../refuse-as-input.js';
import { type ChanceMean, chanceMeans } from './floors/chance-means.js';
import { floorsText } from './floors/print.js';
import { type ScoredFloor, scoredFloor } from './floors/scored-floor.js';

export interface FloorsOptions {
  readonly protocol: 'strict' | 'official' | 'both';
  /** A folder, for one predictions file of each floor under each protocol. */
  readonly out?: string;
  readonly json?: boolean;
}

/** No floor, but what is to stand beside them without a model. */
const signals: Floor = {
  name: 'signals',
  title: 'Signals auditor',
  fit: () => () => signalsAuditor(),
};

/** `agentforesight bench floors`: what rules that understand nothing score, which is what an auditor must beat. */
export async function floors(
  paths: readonly string[],
  { protocol, out, json = false }: FloorsOptions,
  stop: AbortSignal,
): Promise<number> {
  const protocols: readonly Protocol[] = protocol === 'both' ? ['strict', 'official'] : [protocol];
  const inputs = await runFiles(paths);
  const progress = new Progress('floors walked', { isAlone: true });
  const scored: ScoredFloor[] = [];
  const chance: ChanceMean[] = [];
  try {
    const { runs } = await benchRuns(paths, { signal: stop });
    for (const each of protocols) {
      for await (const walked of allWalked(runs, each, stop)) {
        if (out !== undefined) await write(walked, { out, protocol: each, runs, inputs });
        scored.push(scoredFloor(walked, each, runs));
        progress.advance();
      }
      chance.push(...(await chanceMeans(runs, each, stop)));
    }
  } catch (error) {
    if (!stop.aborted) throw error;
    complain('stopped; what was written so far is whole');
    return ExitCode.interrupted;
  } finally {
    progress.end();
  }
  console.log(json ? JSON.stringify({ floors: scored, chance }) : floorsText(scored, chance));
  if (out !== undefined && !json) console.log(`\npredictions written to ${out}`);
  return ExitCode.ok;
}

async function* allWalked(
  runs: readonly BenchRun[],
  protocol: Protocol,
  signal: AbortSignal,
): AsyncGenerator<WalkedFloor> {
  yield { floor: signals, predictions: await walkFloor(signals, runs, protocol, signal) };
  yield* walkFloors(runs, protocol, signal);
}

interface Writing {
  readonly out: string;
  readonly protocol: Protocol;
  readonly runs: readonly BenchRun[];
  readonly inputs: readonly string[];
}

async function write(
  { floor, predictions }: WalkedFloor,
  { out, protocol, runs, inputs }: Writing,
): Promise<void> {
  const file = path.join(out, `${floor.name}.${protocol}.jsonl`);
  refuseAsInput('--out', file, inputs);
  try {
    await mkdir(out, { recursive: true });
  } catch (cause) {
    throw new InputError(
      { file: out },
      `is no folder to write to (${messageOf(cause)})`,
      'Give --out another',
      {
        cause,
      },
    );
  }
  const datasets = new Set(predictions.map(({ truth }) => truth.dataset));
  const training = runs.filter((run) => isTraining(run) && datasets.has(run.dataset));
  const madeFrom = training.map((run) => [inputDigest(run), run.run.label as unknown as JsonValue]);
  await writePredictions(
    file,
    {
      type: 'predictions',
      v: PREDICTIONS_VERSION,
      auditor: floor.name,
      protocol,
      toEnd: false,
      schedule: 'every',
      auditorDigest: digestOf({ floor: floor.name, training: madeFrom }),
      datasets: [...datasets].sort(),
      createdAt: new Date().toISOString(),
    },
    predictions,
  );
}
