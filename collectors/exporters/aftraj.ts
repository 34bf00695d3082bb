import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toAfTrajTurn } from '../../core/index.js';
import type { Sample, SampleTurn } from '../sample.js';
import { pandasMetadata } from './pandas-metadata.js';
import { type Column, int64, list, type ParquetRow, ParquetTable, struct, text } from './parquet-table.js';
import { writeWhole } from './write-whole.js';

const COLUMNS: readonly Column[] = [
  text('conv_id'),
  text('domain'),
  text('task'),
  text('gold_answer'),
  int64('num_turns'),
  list('tools', (name) => struct(name, text('description'), text('name'))),
  list('turns', (name) => struct(name, text('action'), text('content'), text('role'), text('thought'))),
];

const LABEL_COLUMNS: readonly Column[] = [
  int64('mistake_step'),
  text('mistake_agent'),
  text('mistake_reason'),
  text('unsafe_source'),
];

/** Rows by file; samples without a label have no file to be in. */
export interface AfTrajCounts {
  safe: number;
  unsafe: number;
  /** Of both. */
  test: number;
  unlabelled: number;
}

/**
 * Writes samples as AFTraj is published: `aftraj_safe.parquet`, `aftraj_unsafe.parquet` and `splits_test.json` in `folder`,
 * with its columns, their order and their types, row by row in the order given.
 */
export function exportAfTraj(samples: AsyncIterable<Sample>, folder: string): Promise<AfTrajCounts> {
  const [safePath, unsafePath] = ['aftraj_safe.parquet', 'aftraj_unsafe.parquet'].map((name) =>
    join(folder, name),
  ) as [string, string];
  return writeWhole(safePath, (safeFile) =>
    writeWhole(unsafePath, (unsafeFile) =>
      writeWhole(join(folder, 'splits_test.json'), async (splitFile) => {
        const labelled = [...COLUMNS, ...LABEL_COLUMNS];
        const safe = new ParquetTable(safeFile, COLUMNS, pandasMetadata(COLUMNS));
        const unsafe = new ParquetTable(unsafeFile, labelled, pandasMetadata(labelled));
        const counts: AfTrajCounts = { safe: 0, unsafe: 0, test: 0, unlabelled: 0 };
        const split = { test_safe: [] as string[], test_unsafe: [] as string[] };
        for await (const sample of samples) {
          const { label, id } = sample;
          if (label === undefined) {
            counts.unlabelled++;
            continue;
          }
          counts[label.kind]++;
          await (label.kind === 'safe' ? safe : unsafe).add(toRow(sample));
          if (sample.split !== 'test') continue;
          counts.test++;
          split[`test_${label.kind}`].push(id);
        }
        await Promise.all([safe.finish(), unsafe.finish()]);
        for (const ids of Object.values(split)) ids.sort();
        await writeFile(splitFile, JSON.stringify(split, undefined, 2));
        return counts;
      }),
    ),
  );
}

function toRow({ id, domain = '', task, reference = '', tools, turns, label }: Sample): ParquetRow {
  const row = {
    conv_id: id,
    domain,
    task,
    gold_answer: reference,
    num_turns: BigInt(turns.length),
    tools: tools.map(({ name, description = '' }) => ({ name, description })),
    turns: turns.map(toRowTurn),
  };
  if (label?.kind !== 'unsafe') return row;
  return {
    ...row,
    mistake_step: BigInt(label.step),
    mistake_agent: label.agent,
    mistake_reason: label.reason ?? '',
    unsafe_source: label.source === 'natural' ? 'diagnosed' : label.source,
  };
}

function toRowTurn(turn: SampleTurn) {
  const rendered = toAfTrajTurn(turn);
  return turn.action === undefined ? rendered : { ...rendered, action: turn.action };
}
