import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ReplyCache } from '../../../collectors/pairs/reply-cache.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const newFile = () => join(temporaryFolder(), 'deep', 'replies.jsonl');

describe('ReplyCache', () => {
  test('keeps texts over a restart, the first of each key', async () => {
    const file = newFile();
    const cache = new ReplyCache(file);
    expect(await cache.get('a')).toBeUndefined();
    const added = await Promise.all([cache.add('a', 'é\n1'), cache.add('b', ''), cache.add('a', 'later')]);
    expect(added).toEqual(['é\n1', '', 'é\n1']);
    const again = new ReplyCache(file);
    expect([await again.get('a'), await again.get('b')]).toEqual(['é\n1', '']);
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(3);
  });

  test('a file torn at any byte loses its last line only, and grows again', async () => {
    const file = newFile();
    const cache = new ReplyCache(file);
    for (const key of ['a', 'b', 'c']) await cache.add(key, `text of ${key}`);
    const whole = readFileSync(file);
    const line = whole.length / 3;
    for (let length = whole.length; length >= 0; length--) {
      writeFileSync(file, whole);
      truncateSync(file, length);
      const torn = new ReplyCache(file);
      const left = await Promise.all(['a', 'b', 'c'].map((key) => torn.get(key)));
      expect(left.filter((text) => text !== undefined)).toHaveLength(Math.floor(length / line));
      await torn.add('d', 'new');
      const mended = new ReplyCache(file);
      expect(await mended.get('d')).toBe('new');
      if (length >= line) expect(await mended.get('a')).toBe('text of a');
    }
  });

  test('passes over a line that it cannot read', async () => {
    const file = newFile();
    await new ReplyCache(file).get('a');
    appendFileSync(file, 'no JSON\n{"a":1}\n["only one"]\n["a","A"]\n');
    const cache = new ReplyCache(file);
    expect([await cache.get('only one'), await cache.get('a')]).toEqual([undefined, 'A']);
  });
});
