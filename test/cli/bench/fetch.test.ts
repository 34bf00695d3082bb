import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicDatasets } from '../../../bench/fetch/public-datasets.js';
import { fileServer } from '../../bench/support/file-server.js';
import { dataFolder } from '../../collectors/support/data-folder.js';
import { runCli, startCli } from '../../support/cli.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const data = dataFolder('aftraj') && path.dirname(dataFolder('aftraj') as string);
const aftraj = publicDatasets.get('aftraj')?.files ?? [];
const published = () =>
  new Map(aftraj.map(({ path: at }) => [at, readFileSync(path.join(data as string, at))]));

describe('bench fetch', () => {
  it.skipIf(data === undefined)('fetches AFTraj by its checksums, and then finds it there', async () => {
    const out = path.join(temporaryFolder(), 'data');
    const server = await fileServer(published());
    const first = await runCli('bench', 'fetch', 'aftraj', '--out', out, '--from', server.url);
    expect(first).toMatchObject({ code: 0, stderr: '' });
    expect(first.stdout).toContain('aftraj: 3 files, 2.5 MiB, fetched, by checksum');
    const again = await runCli('bench', 'fetch', 'aftraj', '--out', out, '--from', server.url, '--json');
    expect(JSON.parse(again.stdout)).toEqual({
      out,
      datasets: [{ name: 'aftraj', files: 3, there: 3, bytes: 2_656_385 }],
    });
    expect(server.requests).toHaveLength(3);
  });

  it.skipIf(data === undefined)('leaves what Ctrl-C stopped to be gone on from', async () => {
    const out = temporaryFolder();
    const slow = await fileServer(published(), (_, nth) => (nth === 0 ? { breakAfter: 10_000 } : 'hang'));
    const child = startCli(['bench', 'fetch', 'aftraj', '--out', out, '--from', slow.url]);
    const partial = path.join(out, 'aftraj/aftraj_safe.parquet.partial');
    const stderr = Array.fromAsync(child.stderr, String);
    const ended = new Promise((resolve) => child.once('close', resolve));
    await expect.poll(() => existsSync(partial) && slow.requests.length > 3, { timeout: 20_000 }).toBe(true);
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect((await stderr).join('')).toBe(
      'agentforesight: stopped; the same command goes on from what has come\n',
    );
    const { length } = readFileSync(partial);
    expect(length).toBeGreaterThan(0);
    const server = await fileServer(published());
    expect(await runCli('bench', 'fetch', 'aftraj', '--out', out, '--from', server.url)).toMatchObject({
      code: 0,
    });
    expect(server.requests).toContain(`/aftraj/aftraj_safe.parquet bytes=${length}-`);
  });

  it('says in one line what cannot be had, and what to do', async () => {
    const out = temporaryFolder();
    const server = await fileServer(new Map());
    const { code, stdout, stderr } = await runCli('bench', 'fetch', '--out', out, '--from', server.url);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(stderr).toMatch(/cannot be had \(the server answers 404\).*name a mirror with --from.*by hand/);
  });

  it('knows its datasets', async () => {
    const { code, stderr } = await runCli('bench', 'fetch', 'gaia');
    expect(code).toBe(2);
    expect(stderr).toContain('gaia: is no public dataset that is known. Known are aftraj and who-and-when');
  });

  it('says where it cannot write', async () => {
    const file = path.join(temporaryFolder(), 'file');
    writeFileSync(file, '');
    const { code, stderr } = await runCli('bench', 'fetch', '--out', file, '--from', 'http://localhost:9/');
    expect(code).toBe(3);
    expect(stderr).toMatch(/^agentforesight: cannot write: EEXIST[^\n]*\n$/);
  });
});
