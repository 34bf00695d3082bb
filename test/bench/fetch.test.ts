import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PublicDataset } from '../../bench/fetch/public-datasets.js';
import { fetchDatasets } from '../../bench/fetch.js';
import { inputErrorOf } from '../collectors/support/input-error.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { fileServer } from './support/file-server.js';

const CONTENT = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * at) % 251));
const SMALL = Buffer.from('{"is": "small"}');

function dataset(files: Readonly<Record<string, Uint8Array>> = { 'corpus/a.bin': CONTENT }): PublicDataset {
  return {
    name: 'corpus',
    title: 'A corpus',
    licence: 'MIT',
    homepage: 'https://example.org',
    files: Object.entries(files).map(([name, bytes]) => ({
      path: name,
      url: `https://nowhere.invalid/${name}`,
      bytes: bytes.length,
      sha256: hash('sha256', bytes),
    })),
  };
}

const served = (content: Uint8Array = CONTENT) => new Map([['corpus/a.bin', content]]);
const signal = new AbortController().signal;
const filesOf = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted((one, other) => (one < other ? -1 : 1));

describe('fetching', () => {
  it('puts every file in its place, and leaves alone what is there whole', async () => {
    const out = path.join(temporaryFolder(), 'data');
    const files = { 'corpus/a.bin': CONTENT, 'corpus/deep/b.json': SMALL };
    const server = await fileServer(new Map(Object.entries(files)));
    const seen: number[] = [];
    const options = { out, from: server.url, signal, onBytes: (done: number) => seen.push(done) };

    const first = await fetchDatasets([dataset(files)], options);
    expect(first).toEqual([{ name: 'corpus', files: 2, there: 0, bytes: CONTENT.length + SMALL.length }]);
    expect(readFileSync(path.join(out, 'corpus/a.bin')).equals(CONTENT)).toBe(true);
    expect(filesOf(out)).toEqual(['corpus', 'corpus/a.bin', 'corpus/deep', 'corpus/deep/b.json']);
    expect(seen.at(-1)).toBe(CONTENT.length + SMALL.length);

    const again = await fetchDatasets([dataset(files)], options);
    expect(again).toMatchObject([{ there: 2 }]);
    expect(server.requests).toHaveLength(2);
  });

  it('asks for what is missing alone, when a connection was broken off', async () => {
    const out = temporaryFolder();
    const server = await fileServer(served(), (_, nth) => (nth === 0 ? { breakAfter: 70_000 } : undefined));
    await fetchDatasets([dataset()], { out, from: server.url, signal });
    expect(readFileSync(path.join(out, 'corpus/a.bin')).equals(CONTENT)).toBe(true);
    expect(server.requests[1]).toMatch(/^\/corpus\/a\.bin bytes=[1-9]\d*-$/);
  });

  it('goes on from what an earlier call has left', async () => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin.partial'), CONTENT.subarray(0, 150_000));
    const server = await fileServer(served());
    await fetchDatasets([dataset()], { out, from: server.url, signal });
    expect(server.requests).toEqual(['/corpus/a.bin bytes=150000-']);
    expect(filesOf(out)).toEqual(['corpus', 'corpus/a.bin']);
  });

  it.each(['no-ranges', 'wrong-range'] as const)('begins anew where the server gives %s', async (misdeed) => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin.partial'), CONTENT.subarray(0, 150_000));
    const server = await fileServer(served(), (_, nth) => (nth === 0 ? misdeed : undefined));
    await fetchDatasets([dataset()], { out, from: server.url, signal });
    expect(readFileSync(path.join(out, 'corpus/a.bin')).equals(CONTENT)).toBe(true);
  });

  it('begins anew from a partial file that is longer than the file', async () => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin.partial'), Buffer.alloc(CONTENT.length + 1));
    const server = await fileServer(served());
    await fetchDatasets([dataset()], { out, from: server.url, signal });
    expect(readFileSync(path.join(out, 'corpus/a.bin')).equals(CONTENT)).toBe(true);
  });

  it('keeps nothing of a file with another checksum, even one that was gone on from', async () => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin.partial'), Buffer.alloc(150_000));
    const server = await fileServer(served());
    const error = await inputErrorOf(fetchDatasets([dataset()], { out, from: server.url, signal }));
    expect(error.message).toContain(`${server.url}corpus/a.bin: is another file than the one that is known`);
    expect(error.message).toContain(path.join(out, 'corpus/a.bin'));
    expect(filesOf(out)).toEqual(['corpus']);
    await fetchDatasets([dataset()], { out, from: server.url, signal });
  });

  it('takes no more bytes than the file has', async () => {
    const out = temporaryFolder();
    const server = await fileServer(served(Buffer.concat([CONTENT, Buffer.alloc(50_000_000)])));
    const seen: number[] = [];
    const error = await inputErrorOf(
      fetchDatasets([dataset()], { out, from: server.url, signal, onBytes: (done) => seen.push(done) }),
    );
    expect(error.message).toContain('sends more than the 200000 bytes');
    expect(Math.max(...seen)).toBeLessThanOrEqual(CONTENT.length);
  });

  it('never writes over another file', async () => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin'), 'mine');
    const server = await fileServer(served());
    const error = await inputErrorOf(fetchDatasets([dataset()], { out, from: server.url, signal }));
    expect(error.message).toContain('is another file than the one to be fetched, and stays as it is');
    expect(readFileSync(path.join(out, 'corpus/a.bin'), 'utf8')).toBe('mine');
    expect(server.requests).toEqual([]);
  });

  it('tries a server that is overloaded again, and gives up at once on a file that is not there', async () => {
    const busy = await fileServer(served(), (_, nth) => (nth < 2 ? { status: 503 } : undefined));
    await fetchDatasets([dataset()], { out: temporaryFolder(), from: busy.url, signal });
    expect(busy.requests).toHaveLength(3);

    const empty = await fileServer(new Map());
    const out = temporaryFolder();
    const error = await inputErrorOf(fetchDatasets([dataset()], { out, from: empty.url, signal }));
    expect(error.message).toContain('cannot be had (the server answers 404)');
    expect(error.message).toContain(`put it at ${path.join(out, 'corpus/a.bin')} by hand`);
    expect(empty.requests).toHaveLength(1);
    expect(filesOf(out)).toEqual(['corpus']);
  });

  it('keeps what came when a server that answers an error takes over', async () => {
    const out = temporaryFolder();
    mkdirSync(path.join(out, 'corpus'));
    writeFileSync(path.join(out, 'corpus/a.bin.partial'), CONTENT.subarray(0, 150_000));
    const server = await fileServer(served(), () => ({ status: 404 }));
    await inputErrorOf(fetchDatasets([dataset()], { out, from: server.url, signal }));
    expect(readFileSync(path.join(out, 'corpus/a.bin.partial'))).toHaveLength(150_000);
  });

  it('says that nobody answers', async () => {
    const server = await fileServer(served());
    await server.close();
    const error = await inputErrorOf(
      fetchDatasets([dataset()], { out: temporaryFolder(), from: server.url, signal }),
    );
    expect(error.message).toContain(`${server.url}corpus/a.bin: cannot be had (ECONNREFUSED)`);
  });

  it('stops when it is told to, and can be taken up', async () => {
    const out = temporaryFolder();
    const server = await fileServer(served(), (_, nth) => (nth === 0 ? { breakAfter: 70_000 } : 'hang'));
    const stopping = new AbortController();
    const work = fetchDatasets([dataset()], {
      out,
      from: server.url,
      signal: stopping.signal,
      onBytes: (done) => done > 0 && setTimeout(() => stopping.abort(), 20),
    });
    await expect(work).rejects.toThrow('aborted');
    const { length } = readFileSync(path.join(out, 'corpus/a.bin.partial'));
    expect(length).toBeGreaterThan(0);
    const other = await fileServer(served());
    await fetchDatasets([dataset()], { out, from: other.url, signal });
    expect(other.requests).toEqual([`/corpus/a.bin bytes=${length}-`]);
  });
});

describe('what a list of files cannot do', () => {
  it.each([
    '../a.bin',
    'corpus/../../a.bin',
    '/etc/a.bin',
    'C:/a.bin',
    'corpus\\..\\a.bin',
    'corpus//a.bin',
    'corpus/.a',
    'corpus/a\u0000.bin',
    'corpus/a\n.bin',
    '',
  ])('name %j', async (name) => {
    const folder = temporaryFolder();
    const out = path.join(folder, 'out');
    const server = await fileServer(new Map([[name, SMALL]]));
    const error = await inputErrorOf(
      fetchDatasets([dataset({ [name]: SMALL })], { out, from: server.url, signal }),
    );
    expect(error.message).toContain('no plain place inside of it');
    expect(filesOf(folder)).toEqual(['out']);
    expect(server.requests).toEqual([]);
  });

  it('lead out of the folder by a link', async () => {
    const [elsewhere, out] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(elsewhere, path.join(out, 'corpus'));
    const server = await fileServer(served());
    const error = await inputErrorOf(fetchDatasets([dataset()], { out, from: server.url, signal }));
    expect(error.message).toContain('no plain place inside of it');
    expect(filesOf(elsewhere)).toEqual([]);
  });

  it('lead out of the folder by a link in place of a partial file', async () => {
    const [elsewhere, out] = [temporaryFolder(), temporaryFolder()];
    writeFileSync(path.join(elsewhere, 'mine'), 'mine');
    mkdirSync(path.join(out, 'corpus'));
    symlinkSync(path.join(elsewhere, 'mine'), path.join(out, 'corpus/a.bin.partial'));
    const server = await fileServer(served());
    await expect(fetchDatasets([dataset()], { out, from: server.url, signal })).rejects.toThrow('ELOOP');
    expect(readFileSync(path.join(elsewhere, 'mine'), 'utf8')).toBe('mine');
  });
});

describe('whom it asks', () => {
  it.each([
    'http://example.org/',
    'ftp://example.org/',
    'file:///etc/',
    'data',
    'http://localhost.example.org/',
  ])('not %s', async (from) => {
    const out = path.join(temporaryFolder(), 'out');
    const error = await inputErrorOf(fetchDatasets([dataset()], { out, from, signal }));
    expect(error.message).toContain('is no https:// address');
  });

  it('follows a redirect to the same server, and none to another that is not encrypted', async () => {
    const files = new Map([['moved/a.bin', CONTENT]]);
    const moved = await fileServer(files, (at) =>
      at.startsWith('/corpus') ? { location: '/moved/a.bin' } : undefined,
    );
    await fetchDatasets([dataset()], { out: temporaryFolder(), from: moved.url, signal });
    expect(moved.requests).toEqual(['/corpus/a.bin', '/moved/a.bin']);

    const other = await fileServer(served());
    const away = await fileServer(new Map(), () => ({ location: `${other.url}corpus/a.bin` }));
    const error = await inputErrorOf(
      fetchDatasets([dataset()], { out: temporaryFolder(), from: away.url, signal }),
    );
    expect(error.message).toContain('which is not https');
    expect(other.requests).toEqual([]);
  });

  it('ends where redirects go round', async () => {
    const round = await fileServer(new Map(), () => ({ location: '/corpus/a.bin' }));
    const error = await inputErrorOf(
      fetchDatasets([dataset()], { out: temporaryFolder(), from: round.url, signal }),
    );
    expect(error.message).toContain('more than 5 redirects');
  });
});
