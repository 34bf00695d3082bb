import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exportVerl } from '../../../collectors/exporters/verl.js';
import { prefixRecords } from '../../../collectors/prefixes/prefix-records.js';
import { PYTHON_SET_UP, python } from '../../support/python.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { collect } from '../support/collect.js';
import { sampleOf, streamed } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

test(
  'pandas finds messages, and a verdict that is JSON, in the rows for verl',
  async () => {
    const py = await python();
    const folder = temporaryFolder();
    const samples = [unsafeSample('a', 2, { group: 'g' }), sampleOf('b', { label: { kind: 'safe' } })];
    await exportVerl(streamed(samples), folder);
    const rows = JSON.parse(py.run('read_verl.py', join(folder, 'train.parquet')));
    const records = await collect(prefixRecords(streamed(samples)));
    expect(rows.map(({ prompt }: { prompt: unknown }) => prompt)).toEqual(
      records.map(({ prompt }) => prompt),
    );
    expect(rows.map(({ right }: { right: unknown }) => right)).toEqual(
      records.map(({ expected }) => expected),
    );
    expect(rows.map(({ extra_info }: { extra_info: object }) => extra_info)).toMatchObject(
      records.map(({ sample, step }, index) => ({ index, step, sample_id: sample.id })),
    );
    expect(JSON.parse(py.run('read_verl.py', join(folder, 'test.parquet')))).toEqual([]);
  },
  2 * PYTHON_SET_UP,
);
