import { type PublicDataset, publicDatasets } from '../../bench/fetch/public-datasets.js';
import { type Fetched, fetchDatasets } from '../../bench/fetch.js';
import { InputError } from '../../core/index.js';
import { complain } from '../complain.js';
import { ExitCode } from '../exit-code.js';
import { count } from '../figures.js';
import { Progress } from '../progress.js';
import { oneLine } from '../terminal-text.js';

export interface FetchCommandOptions {
  readonly out: string;
  readonly from?: string;
  readonly json?: boolean;
}

const KIB = 1024;
const LONGEST_PATH = 1_000;

/** `agentforesight bench fetch`: public datasets, by checksum, to where the bench reads them. */
export async function benchFetch(
  names: readonly string[],
  { out, from, json }: FetchCommandOptions,
  stop: AbortSignal,
): Promise<number> {
  const datasets = names.length === 0 ? [...publicDatasets.values()] : names.map(datasetNamed);
  let progress: Progress | undefined;
  try {
    const fetched = await fetchDatasets(datasets, {
      out,
      from,
      signal: stop,
      onBytes: (done, total) => {
        progress ??= new Progress('KiB', { isAlone: true, total: total / KIB, from: done / KIB });
        progress.show(done / KIB);
      },
    });
    progress?.end();
    console.log(json ? JSON.stringify({ out, datasets: fetched }) : fetchedText(datasets, fetched, out));
    return ExitCode.ok;
  } catch (error) {
    progress?.end();
    if (isDiskFault(error)) {
      complain(`cannot write: ${error.message}`);
      return ExitCode.fault;
    }
    if (!stop.aborted) throw error;
    complain('stopped; the same command goes on from what has come');
    return ExitCode.interrupted;
  }
}

function isDiskFault(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

function datasetNamed(name: string): PublicDataset {
  const dataset = publicDatasets.get(name);
  if (dataset) return dataset;
  throw new InputError(
    { file: name },
    'is no public dataset that is known',
    `Known are ${[...publicDatasets.keys()].join(' and ')}`,
  );
}

function fetchedText(datasets: readonly PublicDataset[], fetched: readonly Fetched[], out: string): string {
  const lines = fetched.map(({ name, files, there, bytes }, at) => {
    const { title, licence } = datasets[at] as PublicDataset;
    const how = there === files ? 'there already' : there > 0 ? `${there} of them there already` : 'fetched';
    return `${name}: ${count(files, 'file')}, ${(bytes / KIB / KIB).toFixed(1)} MiB, ${how}, by checksum\n  ${title} (${licence})`;
  });
  return [...lines, `in ${oneLine(out, LONGEST_PATH)}`].join('\n');
}
