import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { runPipeline } from '../../../collectors/pipeline.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { folderBytes } from '../support/folder-bytes.js';
import { smallPipeline } from '../support/small-pipeline.js';

const script = path.join(import.meta.dirname, '../support/dying-pipeline.ts');

function startDying(folder: string, moment: string, nth: number) {
  return spawn(process.execPath, ['--import', 'tsx', script, folder, moment, `${nth}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

let undisturbed: Record<string, string> = {};

beforeAll(async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agentforesight-'));
  await runPipeline(smallPipeline(folder));
  undisturbed = folderBytes(folder);
  fs.rmSync(folder, { recursive: true });
});

describe('killed -9 and run again, the pipeline makes the same bytes', () => {
  it.each<[string, number]>([
    ['processing', 1],
    ['processing', 30],
    ['processing', 60],
    ['processing', 61],
    ['processing', 100],
    ['tearing', 1],
    ['tearing', 3],
    ['tearing', 5],
    ['tearing', 8],
    ['before-rename', 1],
    ['before-rename', 2],
    ['before-rename', 3],
    ['before-rename', 4],
    ['before-rename', 5],
    ['before-rename', 7],
    ['before-rename', 9],
    ['after-rename', 1],
    ['after-rename', 3],
    ['after-rename', 4],
    ['after-rename', 6],
    ['after-rename', 8],
    ['after-rename', 10],
  ])('at the moment: %s %i', async (moment, nth) => {
    const folder = temporaryFolder();
    const [, signal] = await once(startDying(folder, moment, nth), 'close');
    expect(signal).toBe('SIGKILL');
    await runPipeline(smallPipeline(folder));
    expect(folderBytes(folder)).toEqual(undisturbed);
  });

  it('at any time, again and again on one folder', async () => {
    const folder = temporaryFolder();
    for (let ms = 20; ms <= 140; ms += 20) {
      const child = startDying(folder, 'never', 0);
      const closed = once(child, 'close');
      while (child.exitCode === null && !fs.readdirSync(folder).some((name) => name.startsWith('.lock')))
        await setTimeout(2);
      await setTimeout(ms);
      child.kill('SIGKILL');
      await closed;
    }
    await runPipeline(smallPipeline(folder));
    expect(folderBytes(folder)).toEqual(undisturbed);
  });
});
