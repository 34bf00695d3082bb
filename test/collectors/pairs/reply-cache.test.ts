import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ReplyCache } from '../../../collectors/pairs/reply-cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newFile = () => join(temporaryFolder(), 'deep', 'replies.jsonl');

describe('ReplyCache', () => {
  test('keeps texts over a restart, the first of each key', async () => {
    const file = newFile();
    const cache = await ReplyCache.open(file);
    expect(await cache.get('a')).toBeUndefined();
    const added = await Promise.all([cache.add('a', 'é\n1'), cache.add('b', ''), cache.add('a', 'later')]);
    expect(added).toEqual(['é\n1', '', 'é\n1']);
    await cache.close();
    const again = await ReplyCache.open(file);
    expect([again.size, await again.get('a'), await again.get('b')]).toEqual([2, 'é\n1', '']);
    await again.close();
  });

  test('a file torn at any byte loses its last line only, and grows again', async () => {
    const file = newFile();
    const cache = await ReplyCache.open(file);
    for (const key of ['a', 'b', 'c']) await cache.add(key, `text of ${key}`);
    await cache.close();
    const whole = readFileSync(file);
    const line = whole.length / 3;
    for (let length = whole.length; length >= 0; length--) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const torn = await ReplyCache.open(file);
      expect(torn.size).toBe(Math.floor(length / line));
      await torn.add('d', 'new');
      await torn.close();
      const mended = await ReplyCache.open(file);
      expect(await mended.get('d')).toBe('new');
      if (length >= line) expect(await mended.get('a')).toBe('text of a');
      await mended.close();
    }
  });

  test('passes over a line that it cannot read', async () => {
    const file = newFile();
    await (await ReplyCache.open(file)).close();
    appendFileSync(file, 'no JSON\n{"a":1}\n["only one"]\n["a","A"]\n');
    const cache = await ReplyCache.open(file);
    expect([cache.size, await cache.get('a')]).toEqual([1, 'A']);
    await cache.close();
  });
});
