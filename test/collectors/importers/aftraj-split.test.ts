import { expect, test } from 'vitest';
import { readAfTrajTestSplit } from '../../../collectors/importers/aftraj-split.js';
import { inputErrorOf } from '../support/input-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();

test('the test split stands beside the Parquet file, or nowhere', async () => {
  const parquet = await write('runs.parquet', 'PAR1');
  expect(await readAfTrajTestSplit(parquet)).toBeUndefined();

  await write('splits_test.json', '{"test_safe": ["a"], "test_unsafe": ["b"]}');
  expect(await readAfTrajTestSplit(parquet)).toEqual(new Set(['a', 'b']));

  await write('splits_test.json', '{"test_safe": ["a"], "test_unsafe": [2]}');
  expect((await inputErrorOf(readAfTrajTestSplit(parquet))).location.field).toBe('test_unsafe[0]');
});
