import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync } from 'hyparquet';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportAfTraj } from '../../../collectors/exporters/aftraj.js';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readAfTrajTestSplit } from '../../../collectors/importers/aftraj-split.js';
import type { Sample } from '../../../collectors/sample.js';
import { PYTHON_SET_UP, type Python, python } from '../../support/python.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { dataFolder } from '../support/data-folder.js';
import { asSample } from '../support/samples.js';

const FILES = ['aftraj_safe.parquet', 'aftraj_unsafe.parquet'];
const published = dataFolder('aftraj') as string;

async function* samples(): AsyncGenerator<Sample> {
  const tested = await readAfTrajTestSplit(join(published, 'aftraj_safe.parquet'));
  for (const name of FILES)
    for await (const run of readAfTraj(join(published, name)))
      yield { ...asSample(run), split: tested?.has(run.runId) ? 'test' : 'train' };
}

describe.skipIf(published === undefined)('AFTraj, read and written again', () => {
  let py: Python;
  beforeAll(async () => {
    py = await python();
  }, 2 * PYTHON_SET_UP);

  test('pandas and pyarrow read the same columns, types and rows', async () => {
    const folder = temporaryFolder();
    expect(await exportAfTraj(samples(), folder)).toEqual({
      safe: 1162,
      unsafe: 1114,
      test: 332,
      unlabelled: 0,
    });
    const compared = FILES.map((name) =>
      JSON.parse(py.run('compare_parquet.py', join(published, name), join(folder, name))),
    );
    expect(compared.map(({ differences }) => differences)).toEqual([[], []]);
    expect(compared.map(({ rows }) => rows)).toEqual([1162, 1114]);
    expect(compared[0].columns).toEqual('conv_id domain task gold_answer num_turns tools turns'.split(' '));
    expect(compared[1].columns.slice(7)).toEqual(
      'mistake_step mistake_agent mistake_reason unsafe_source'.split(' '),
    );
    expect(readFileSync(join(folder, 'splits_test.json'))).toEqual(
      readFileSync(join(published, 'splits_test.json')),
    );
  }, 120_000);

  test('one changed letter, and one missing row, would be seen', async () => {
    const folder = temporaryFolder();
    async function* changed() {
      let at = 0;
      for await (const sample of samples()) {
        at++;
        if (at === 7) continue;
        const [first, ...others] = sample.turns as [Sample['turns'][number]];
        yield at === 3
          ? { ...sample, turns: [{ ...first, content: `${first.content}.` }, ...others] }
          : sample;
      }
    }
    await exportAfTraj(changed(), folder);
    const [name] = FILES as [string];
    const { differences } = JSON.parse(
      py.run('compare_parquet.py', join(published, name), join(folder, name)),
    );
    expect(differences).toContain('pyarrow: turns, row 2');
    expect(differences).toContain('pandas: turns, row 2');
    expect(differences).toContain('pandas: conv_id: 1162 rows, 1161 exported');
  }, 120_000);

  test('the schemas are those of the published files, element by element', async () => {
    const folder = temporaryFolder();
    await exportAfTraj(samples(), folder);
    for (const name of FILES) {
      const [theirs, ours] = await Promise.all(
        [published, folder].map(async (at) =>
          parquetMetadataAsync(await asyncBufferFromFile(join(at, name))),
        ),
      );
      expect(ours?.schema).toEqual(theirs?.schema);
    }
  });

  test('the same samples make the same bytes', async () => {
    const folders = [temporaryFolder(), temporaryFolder()];
    for (const folder of folders) await exportAfTraj(samples(), folder);
    for (const name of [...FILES, 'splits_test.json']) {
      const [one, other] = folders.map((folder) => readFileSync(join(folder, name)));
      expect(one?.equals(other as Buffer), name).toBe(true);
    }
  });
});
