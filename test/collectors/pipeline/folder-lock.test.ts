import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FolderLock } from '../../../collectors/pipeline/folder-lock.js';
import { runPipeline } from '../../../collectors/pipeline.js';
import type { Stage } from '../../../collectors/stage.js';
import { gateway } from '../../support/audited-run.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { numberingStage, smallPipeline } from '../support/small-pipeline.js';

const here = os.hostname();
const id = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

function lockedBy(pid: number | undefined, host = here, by = id('0')): string {
  const folder = temporaryFolder();
  fs.writeFileSync(path.join(folder, `.lock-${pid}-${by}-${host}`), '');
  return folder;
}

const isLocked = (folder: string) => fs.readdirSync(folder).some((name) => name.startsWith('.lock'));

describe('a folder that a process works in', () => {
  it('is refused to another, in one line, until the first has ended', async () => {
    const folder = temporaryFolder();
    const held = gateway();
    const waiting: Stage = { ...numberingStage(), prepare: () => held.opened.then(() => undefined) };
    const first = runPipeline(smallPipeline(folder, { stages: [waiting] }));
    await expect.poll(() => isLocked(folder), { timeout: 20_000 }).toBe(true);
    await expect(runPipeline(smallPipeline(folder))).rejects.toThrow(
      `${folder}: process ${process.pid} is at work here. Wait for its end, or give another folder.`,
    );
    held.open();
    await first;
    await expect(runPipeline(smallPipeline(folder))).resolves.toHaveLength(4);
  });

  it.each(['0', 'f'])('is refused while the process is alive, whose lock is %s…', async (digit) => {
    const folder = lockedBy(process.ppid, here, id(digit));
    await expect(FolderLock.take(folder)).rejects.toThrow(`process ${process.ppid} is at work here`);
  });

  it('is refused where nobody can tell, with what to do', async () => {
    const folder = lockedBy(1, 'elsewhere');
    await expect(FolderLock.take(folder)).rejects.toThrow(
      'process 1 on elsewhere is at work here. Wait for its end; if it has died, remove .lock-1-',
    );
  });

  const { pid: gone } = spawnSync(process.execPath, ['-e', '']);
  const dead = () => gone;
  it.each<[string, () => number | undefined]>([
    ['has died', dead],
    ['had our number before a restart', () => process.pid],
  ])('is taken over when the process %s', async (_, pid) => {
    const folder = lockedBy(pid());
    const lock = await FolderLock.take(folder);
    await expect(FolderLock.take(folder)).rejects.toThrow('is at work here');
    await lock.release();
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('is taken by one of many that come at once', async () => {
    for (let times = 0; times < 20; times++) {
      const folder = lockedBy(dead());
      const taken = await Promise.allSettled(Array.from({ length: 10 }, () => FolderLock.take(folder)));
      expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    }
  });
});
