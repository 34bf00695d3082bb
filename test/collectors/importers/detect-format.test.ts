import { dirname } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { detectFormat } from '../../../collectors/importers/detect-format.js';
import { InputError } from '../../../core/index.js';
import { inputErrorOf } from '../support/input-error.js';
import { toParquet } from '../support/parquet.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const write = temporaryFolder();
const history = [{ role: 'human', content: 'Where?' }];

async function detect(content: string | Uint8Array) {
  return detectFormat(await write('input', content));
}

async function errorOf(content: string | Uint8Array) {
  return inputErrorOf(detect(content));
}

describe('detectFormat', () => {
  test('knows the three formats by content', async () => {
    expect(await detect(toParquet([[{ conv_id: 'a' }]]))).toBe('aftraj');
    expect(await detect(JSON.stringify({ history }, null, 2))).toBe('who-and-when');
    expect(await detect(JSON.stringify({ history }))).toBe('who-and-when');
    expect(await detect('{"type":"run","v":1,"runId":"a"}\n{"type":"turn","v":1}\n')).toBe('run-log');
    expect(await detect('\uFEFF\n{"type":"recovery","v":1}')).toBe('run-log');
  });

  test('reads only the start of a long run log, and all of a long JSON file', async () => {
    const filler = 'x'.repeat(200_000);
    expect(await detect(`{"type":"run","v":1}\n${filler}`)).toBe('run-log');
    expect(await detect(`{"type":"run","v":1,"task":"${filler}"}\n{}`)).toBe('run-log');
    expect(await detect(JSON.stringify({ filler, history }))).toBe('who-and-when');
  });

  test('refuses a missing file, a folder and an empty file', async () => {
    const path = await write('there', '');
    expect((await inputErrorOf(detectFormat(path))).message).toContain('there: is empty');
    expect((await inputErrorOf(detectFormat(`${path}.not`))).message).toContain(
      'does not exist. Check the path.',
    );
    expect((await inputErrorOf(detectFormat(dirname(path)))).message).toContain('is a folder');
  });

  test('says at which byte a file is binary', async () => {
    expect((await errorOf('{"a"\0}')).message).toContain('a NUL at byte 4');
    expect((await errorOf(Buffer.from([0x7b, 0xc3, 0xa4, 0xff]))).message).toContain(
      'no valid UTF-8 at byte 3',
    );
    expect((await errorOf(Buffer.from('\uFFFD\uFFFDä\x00'))).message).toContain('a NUL at byte 8');
    const genuine = Buffer.concat([Buffer.from('\uFFFDab\uFFFD'), Buffer.from([0xf0, 0x9f])]);
    expect((await errorOf(genuine)).message).toContain('no valid UTF-8 at byte 8');
    expect((await errorOf(Buffer.from('\uFEFF{}', 'utf16le'))).message).toContain('no valid UTF-8 at byte 0');
  });

  test('says what is wrong with the shape', async () => {
    const version = await errorOf('{"type":"run","v":2}\n');
    expect(version.location).toMatchObject({ line: 1, field: 'v' });
    expect(version.message).toContain('a run log of version 2; this program reads 1');
    expect((await errorOf('{"messages": [], "id": 1}')).message).toContain('(fields: messages, id)');
    expect((await errorOf('[1]')).message).toContain('JSON, but no object');
    expect((await errorOf('{"history": [}')).location.line).toBe(1);
    expect((await errorOf('step 1: hello')).message).toContain('"step 1: hello" (column 1)');
    expect((await errorOf('\n\n')).message).toContain('the JSON ends too early');
  });

  test('random input is known or refused by an InputError', async () => {
    const input = fc.oneof(fc.json(), fc.string(), fc.uint8Array());
    await fc.assert(
      fc.asyncProperty(input, async (content) => {
        const result = await detect(content).catch((error: unknown) => error);
        expect(typeof result === 'string' || result instanceof InputError).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
