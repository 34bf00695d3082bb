import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { thresholdsSchema } from '../calibration.js';
import { messageOf } from '../diagnostics.js';
import { InputError } from '../errors.js';

export const CALIBRATION_VERSION = 1;

const share = z.number().min(0).max(1);
const count = z.int().nonnegative();

/** `calibration.json`, as `agentforesight calibrate` writes it: the thresholds, and what they rest on. */
export const calibrationFileSchema = z.object({
  version: z.literal(CALIBRATION_VERSION),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
  /** Whose scores these thresholds are for. */
  auditor: z.string().min(1),
  thresholds: thresholdsSchema,
  /** The promise: the share of healthy runs that may have an alarm at any prefix. */
  far: share,
  seed: z.int(),
  runs: z.object({
    /** Where the step shape comes from. */
    shape: count,
    /** What the thresholds were calibrated on. */
    calibration: count,
    /** Of the latter, those with an alarm under these thresholds. */
    exceeding: count,
    tasks: count,
  }),
  /** The false-alarm rate of these thresholds on new healthy runs, with the given confidence. */
  interval: z.object({ confidence: share, low: share, high: share }),
});

export type CalibrationFile = Readonly<z.infer<typeof calibrationFileSchema>>;

/**
 * For `createRuntime({ calibration: await readCalibration('calibration.json') })`.
 * @throws InputError when the file cannot be read or is no calibration
 */
export async function readCalibration(file: string): Promise<CalibrationFile> {
  const { success, data, error } = calibrationFileSchema.safeParse(parse(file, await textOf(file)));
  if (success) return data;
  const [issue] = error.issues;
  const what = `is no calibration: ${issue?.message}`;
  throw new InputError({ file, field: issue?.path.join('.') || undefined }, what, REMEDY, { cause: error });
}

const REMEDY = 'Make one with agentforesight calibrate';

function textOf(file: string): Promise<string> {
  return readFile(file, 'utf8').catch((cause: unknown) => {
    throw new InputError({ file }, `cannot be read (${messageOf(cause)})`, REMEDY, { cause });
  });
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError({ file }, `is no JSON (${messageOf(cause)})`, REMEDY, { cause });
  }
}
