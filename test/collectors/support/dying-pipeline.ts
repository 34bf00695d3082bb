/**
 * Runs the small pipeline and dies by its own hand: `dying-pipeline.ts <folder> <moment> <n>`. Moments, each the nth:
 * `processing` a sample, `tearing` (half of a block is written), `before-rename` and `after-rename` of a file.
 */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { runPipeline } from '../../../collectors/pipeline.js';
import { numberingStage, smallPipeline, sortingStage } from './small-pipeline.js';

const [folder = '', moment, nth] = process.argv.slice(2);
let times = 0;

function isTime(at: string): boolean {
  return at === moment && ++times === Number(nth);
}

function die(): never {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('still alive');
}

const { rename } = promises;
promises.rename = async (from, to) => {
  if (isTime('before-rename')) die();
  await rename(from, to);
  if (isTime('after-rename')) die();
};
syncBuiltinESMExports();

const handle = await promises.open(import.meta.filename);
const prototype = Object.getPrototypeOf(handle);
await handle.close();
const { appendFile } = prototype;
prototype.appendFile = function tearing(this: { fd: number }, block: Buffer) {
  if (!isTime('tearing')) return appendFile.call(this, block);
  fs.writeSync(this.fd, block.subarray(0, Math.floor(block.length / 2)));
  die();
};

const onProcess = () => {
  if (isTime('processing')) die();
};
await runPipeline(
  smallPipeline(folder, { stages: [sortingStage({ onProcess }), numberingStage({ onProcess })] }),
);
