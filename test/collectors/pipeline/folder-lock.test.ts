import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderLock } from '../../../collectors/pipeline/folder-lock.js';
import { runPipeline } from '../../../collectors/pipeline.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { smallPipeline } from '../support/small-pipeline.js';

function lockedBy(holder: object | string): string {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, '.lock'), typeof holder === 'string' ? holder : JSON.stringify(holder));
  return folder;
}

const here = os.hostname();

describe('a folder that a process works in', () => {
  it('is refused to another, in one line, until the first has ended', async () => {
    const folder = temporaryFolder();
    const first = runPipeline(smallPipeline(folder));
    await expect.poll(() => fs.existsSync(path.join(folder, '.lock'))).toBe(true);
    await expect(runPipeline(smallPipeline(folder))).rejects.toThrow(
      `${folder}: process ${process.pid} is at work here. Wait for its end, or give another folder.`,
    );
    await first;
    await expect(runPipeline(smallPipeline(folder))).resolves.toHaveLength(4);
  });

  it('is refused while the process is alive', async () => {
    const folder = lockedBy({ pid: process.ppid, host: here, id: 'theirs' });
    await expect(FolderLock.take(folder)).rejects.toThrow(`process ${process.ppid} is at work here`);
  });

  it('is refused where nobody can tell, with what to do', async () => {
    const folder = lockedBy({ pid: 1, host: 'elsewhere', id: 'theirs' });
    await expect(FolderLock.take(folder)).rejects.toThrow(
      'process 1 on elsewhere is at work here. Wait for its end; if it has died, remove .lock in the folder',
    );
  });

  const dead = () => spawnSync(process.execPath, ['-e', '']).pid;
  it.each<[string, () => object | string]>([
    ['has died', () => ({ pid: dead(), host: here, id: 'theirs' })],
    ['had our number before a restart', () => ({ pid: process.pid, host: here, id: 'theirs' })],
    ['cannot be told, for the lock is damaged', () => '{"pid":'],
  ])('is taken over when the process %s', async (_, holder) => {
    const folder = lockedBy(holder());
    const lock = await FolderLock.take(folder);
    await expect(FolderLock.take(folder)).rejects.toThrow('is at work here');
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is taken over by one of many only', async () => {
    const folder = lockedBy({ pid: dead(), host: here, id: 'theirs' });
    const taken = await Promise.allSettled(Array.from({ length: 20 }, () => FolderLock.take(folder)));
    expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });
});
