import { existsSync } from 'node:fs';
import { rename, writeFile } from 'node:fs/promises';
import { type CalibrationFile, InputError, messageOf, readCalibration } from '../../core/index.js';

/** An earlier calibration may be replaced, nothing else. @throws InputError */
export async function requireReplaceable(file: string): Promise<void> {
  if (!existsSync(file)) return;
  await readCalibration(file).catch((cause: unknown) => {
    const what = `exists, and is none of ours to replace (${messageOf(cause)})`;
    throw new InputError({ file }, what, 'Give --out another path', { cause });
  });
}

/** Whole or not at all: a gate may be starting on it. @throws InputError */
export async function writeCalibration(file: string, calibration: CalibrationFile): Promise<void> {
  const beside = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(beside, `${JSON.stringify(calibration, undefined, 2)}\n`);
    await rename(beside, file);
  } catch (cause) {
    throw new InputError({ file }, `cannot be written (${messageOf(cause)})`, 'Give --out another path', {
      cause,
    });
  }
}
