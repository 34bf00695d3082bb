import { readFile, writeFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeWhole } from '../../collectors/exporters/write-whole.js';
import { parseJson } from '../../collectors/importers/parse-json.js';
import { validate } from '../../collectors/importers/validate.js';
import { InputError, messageOf } from '../../core/index.js';
import type { HeldOutCheck, ThresholdReport } from '../thresholds.js';

const figure = z.number().nullable();

const lookSchema = z.object({
  /** ISO 8601. */
  at: z.iso.datetime(),
  /** Of the test predictions, and of those that the points were picked on. */
  test: z.string(),
  picked: z.string(),
  auditor: z.string(),
  far: z.number(),
  points: z.array(
    z.object({
      name: z.string(),
      thresholds: z.array(z.object({ fromStep: z.int(), above: z.number() })).readonly(),
      far: figure,
      stepAcc: figure,
      exactF1Released: figure,
      exactF1Paper: figure,
    }),
  ),
});

const recordSchema = z.object({ v: z.literal(1), looks: z.array(lookSchema) });

/** One look at how picked points do on a test split. */
export type TestLook = z.output<typeof lookSchema>;

/** Beside the test predictions, so that whoever has these also has what was tried on them. */
export function looksFile(testFile: string): string {
  return `${testFile}.looks.json`;
}

/**
 * Writes down that these points were looked at on these test predictions; the same points again are the same look.
 * @returns how many different ones the same predictions have seen by now, this one included
 * @throws InputError where the record cannot be read or written
 */
export async function recordLook(
  testFile: string,
  report: ThresholdReport,
  check: HeldOutCheck,
): Promise<number> {
  const file = looksFile(testFile);
  const earlier = await looksIn(file);
  const look = lookOf(report, check);
  const ofSame = earlier.filter(({ test }) => test === check.digest);
  if (ofSame.some((one) => pointsOf(one) === pointsOf(look))) return ofSame.length;
  const text = JSON.stringify({ v: 1, looks: [...earlier, look] }, undefined, 2);
  await writeWhole(file, (partial) => writeFile(partial, `${text}\n`)).catch((cause: unknown) => {
    const what = `cannot be written (${messageOf(cause)}): looks at a test split are written down beside it`;
    throw new InputError({ file }, what, 'Copy the predictions to where you may write', { cause });
  });
  return ofSame.length + 1;
}

async function looksIn(file: string): Promise<readonly TestLook[]> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return undefined;
    throw new InputError({ file }, `cannot be read (${cause.message})`, 'Check its permissions', { cause });
  });
  return text === undefined ? [] : validate(recordSchema, parseJson(file, text), { file }).looks;
}

function lookOf({ auditor, far, digest }: ThresholdReport, check: HeldOutCheck): TestLook {
  return {
    at: new Date().toISOString(),
    test: check.digest,
    picked: digest,
    auditor,
    far,
    points: check.scores.map(({ name, thresholds, score: { overall } }) => ({
      name,
      thresholds,
      far: overall.far?.value ?? null,
      stepAcc: overall.stepAcc?.value ?? null,
      exactF1Released: overall.exactF1Released?.value ?? null,
      exactF1Paper: overall.exactF1Paper?.value ?? null,
    })),
  };
}

function pointsOf({ points }: TestLook): string {
  return JSON.stringify(points.map(({ name, thresholds }) => [name, thresholds]));
}
