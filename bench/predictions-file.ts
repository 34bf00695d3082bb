import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { writeJsonLines } from '../collectors/exporters/json-lines.js';
import { decodeUtf8, requireFile } from '../collectors/importers/input-file.js';
import { validate } from '../collectors/importers/validate.js';
import { InputError } from '../core/index.js';
import type { Truth } from './bench-run.js';
import { type PredictedRun, predictedRunSchema } from './prediction-schema.js';
import { PROTOCOLS } from './protocol.js';

export const PREDICTIONS_VERSION = 1;

export const predictionsHeaderSchema = z.strictObject({
  type: z.literal('predictions'),
  v: z.literal(PREDICTIONS_VERSION, {
    error: `expected ${PREDICTIONS_VERSION}: another version wrote the file`,
  }),
  auditor: z.string().min(1),
  protocol: z.enum(PROTOCOLS),
  /** Whether runs were walked on after their first alarm. */
  toEnd: z.boolean(),
  /** `every`: at all the protocol's prefixes; `own`: at those of them that the auditor's own schedule asks about. */
  schedule: z.enum(['every', 'own']),
  /** The model that was asked, by the name that its server knows; several with ` + ` between them. */
  model: z.string().optional(),
  /** Of what the auditor was made from, such as its configuration: equal ones say the same of the same run. */
  auditorDigest: z.string().min(1),
  datasets: z.array(z.string()).readonly(),
  /** ISO 8601. */
  createdAt: z.iso.datetime(),
});

/** The first line: who said it, and how it was asked. */
export type PredictionsHeader = Readonly<z.infer<typeof predictionsHeaderSchema>>;

export interface Predictions {
  readonly header: PredictionsHeader;
  /** In the order in which the runs were first walked; of a run that was asked again, what was said last. */
  readonly predictions: readonly PredictedRun[];
}

/**
 * What an auditor said of labelled runs: JSON lines, the header first, then one line a run. Whatever scores it needs
 * nothing else. A last line that a crash has torn is passed over.
 * @throws InputError naming file, line and field
 */
export async function readPredictions(file: string): Promise<Predictions> {
  return parsePredictions(file, await readWholeLines(file));
}

/** A file of JSON lines as text, without the line that a crash has torn. @throws InputError */
export async function readWholeLines(file: string): Promise<string> {
  await requireFile(file);
  return decodeUtf8(file, wholePart(await readFile(file)));
}

/** @throws InputError naming file, line and field */
export function parsePredictions(file: string, text: string): Predictions {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  const [first, ...rest] = lines.map((line, at) => parseLine(file, at + 1, line));
  if ((first as { type?: unknown } | null | undefined)?.type !== 'predictions')
    throw new InputError(
      { file, line: 1 },
      'is no predictions file: the first line has no type "predictions"',
      'Give a file that agentforesight bench walk has written',
    );
  const header = validate(predictionsHeaderSchema, first, { file, line: 1 });
  const byRun = new Map<string, PredictedRun>();
  for (const [at, value] of rest.entries()) {
    const run = validate(predictedRunSchema, value, { file, line: at + 2 });
    byRun.set(keyOf(run.truth), run);
  }
  return { header, predictions: [...byRun.values()] };
}

/**
 * Without the line that a crash has torn. A last line that only lacks its end is whole: no JSON object is complete before
 * its last byte.
 */
export function wholePart(bytes: Buffer): Buffer {
  const end = bytes.lastIndexOf('\n') + 1;
  try {
    JSON.parse(bytes.toString('utf8', end));
    return bytes;
  } catch {
    return bytes.subarray(0, end);
  }
}

/** The whole file at once; {@link PredictionsLog} is for what takes long. */
export async function writePredictions(
  file: string,
  header: PredictionsHeader,
  predictions: Iterable<PredictedRun> | AsyncIterable<PredictedRun>,
): Promise<void> {
  await writeJsonLines(file, lines());

  async function* lines() {
    yield header;
    for await (const run of predictions) yield asWritten(run);
  }
}

/** What tells a run of a file from the others. */
export function keyOf({ dataset, runId }: Truth): string {
  return `${dataset}\0${runId}`;
}

/** Without the annotator's words: scoring needs none, and not every corpus lets them be passed on. */
export function asWritten(run: PredictedRun): PredictedRun {
  const { label } = run.truth;
  if (label.kind === 'safe') return run;
  const { reason: _, ...place } = label;
  return { ...run, truth: { ...run.truth, label: place } };
}

function parseLine(file: string, line: number, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new InputError({ file, line }, 'is no JSON', 'Take the line out, and walk its run again', {
      cause,
    });
  }
}
