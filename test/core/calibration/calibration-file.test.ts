import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readCalibration } from '../../../core/calibration/calibration-file.js';
import { InputError } from '../../../core/errors.js';
import { createRuntime } from '../../../core/runtime.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const whole = {
  version: 1,
  createdAt: '2026-12-01T09:30:00.000Z',
  auditor: 'signals',
  thresholds: [{ fromStep: 0, above: 0.4 }],
  far: 0.05,
  seed: 1,
  runs: { shape: 20, calibration: 20, exceeding: 0, tasks: 40 },
  interval: { confidence: 0.95, low: 0, high: 0.17 },
};

function fileWith(text: string): string {
  const file = path.join(temporaryFolder(), 'calibration.json');
  writeFileSync(file, text);
  return file;
}

it('reads back whole, and is an option of createRuntime', async () => {
  const calibration = await readCalibration(fileWith(JSON.stringify(whole)));
  expect(calibration).toEqual(whole);
  expect(() => createRuntime({ calibration })).not.toThrow();
});

it.each<[string, string, RegExp]>([
  ['no JSON', '{', /calibration\.json: is no JSON/],
  ['something else', '{"name":"package"}', /\(version\): is no calibration/],
  ['a later version', JSON.stringify({ ...whole, version: 2 }), /\(version\): is no calibration/],
  [
    'a threshold above one',
    JSON.stringify({ ...whole, thresholds: [{ fromStep: 0, above: 2 }] }),
    /\(thresholds\.0\.above\)/,
  ],
  [
    'thresholds out of order',
    JSON.stringify({ ...whole, thresholds: [{ fromStep: 3, above: 0 }] }),
    /must begin at step 0/,
  ],
])('refuses %s, naming file and field', async (_, text, message) => {
  const reading = readCalibration(fileWith(text));
  await expect(reading).rejects.toThrow(InputError);
  await expect(reading).rejects.toThrow(message);
});

it('refuses a file that is not there', async () => {
  await expect(readCalibration('/nowhere/calibration.json')).rejects.toThrow(/cannot be read \(ENOENT/);
});
