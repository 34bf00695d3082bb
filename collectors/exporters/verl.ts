import { join } from 'node:path';
import { type PrefixOptions, type PrefixRecord, prefixRecords } from '../prefixes/prefix-records.js';
import type { Sample } from '../sample.js';
import { type Column, int64, list, type ParquetRow, ParquetTable, struct, text } from './parquet-table.js';
import { writeWhole } from './write-whole.js';

export interface VerlOptions extends PrefixOptions {
  /** Names the data; `/safe` and `/alarm` are added, so that verl's metrics tell the two apart. Default: `agentforesight`. */
  readonly dataSource?: string | undefined;
}

const COLUMNS: readonly Column[] = [
  text('data_source'),
  list('prompt', (name) => struct(name, text('role'), text('content'))),
  text('ability'),
  struct('reward_model', text('style'), text('ground_truth')),
  struct(
    'extra_info',
    int64('index'),
    text('sample_id'),
    int64('step'),
    text('agents'),
    text('domain'),
    text('source'),
    text('group'),
  ),
];

/**
 * Writes prefixes of labelled samples as verl's `RLHFDataset` reads them: `train.parquet` and `test.parquet` in `folder`, by the
 * samples' split; those without one are training data. `ground_truth` is JSON, `"SAFE"` or `{"step":3,"agent":"solver"}`, and
 * `extra_info.agents` the JSON list of who has spoken, of whom an alarm may name one.
 */
export function exportVerl(
  samples: AsyncIterable<Sample>,
  folder: string,
  { dataSource = 'agentforesight', ...prefixes }: VerlOptions = {},
): Promise<{ train: number; test: number }> {
  return writeWhole(join(folder, 'train.parquet'), (trainFile) =>
    writeWhole(join(folder, 'test.parquet'), async (testFile) => {
      const tables = {
        train: new ParquetTable(trainFile, COLUMNS),
        test: new ParquetTable(testFile, COLUMNS),
      };
      const counts = { train: 0, test: 0 };
      for await (const record of prefixRecords(samples, prefixes)) {
        const { split = 'train' } = record.sample;
        await tables[split].add(toRow(record, counts[split]++, dataSource));
      }
      await Promise.all([tables.train.finish(), tables.test.finish()]);
      return counts;
    }),
  );
}

function toRow(
  { sample, step, prompt, expected }: PrefixRecord,
  index: number,
  dataSource: string,
): ParquetRow {
  const { id, turns, label, domain, group } = sample;
  return {
    data_source: `${dataSource}/${expected === 'SAFE' ? 'safe' : 'alarm'}`,
    prompt,
    ability: 'audit',
    reward_model: { style: 'rule', ground_truth: JSON.stringify(expected) },
    extra_info: {
      index: BigInt(index),
      sample_id: id,
      step: BigInt(step),
      agents: JSON.stringify([...new Set(turns.slice(0, step + 1).map(({ agent }) => agent))]),
      domain,
      source: label?.kind === 'unsafe' ? (label.source ?? 'unsafe') : label?.kind,
      group,
    },
  };
}
