import { z } from 'zod';
import { writeJsonLines } from '../collectors/exporters/json-lines.js';
import { readTextFile } from '../collectors/importers/input-file.js';
import { validate } from '../collectors/importers/validate.js';
import { InputError } from '../core/index.js';
import type { Prediction } from './prediction.js';
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
  return parsePredictions(file, await readTextFile(file));
}

/** @throws InputError naming file, line and field */
export function parsePredictions(file: string, text: string): Predictions {
  const [first, ...rest] = wholeLines(text);
  const header = first === undefined ? undefined : parseLine(file, 1, first);
  if ((header as { type?: unknown } | undefined)?.type !== 'predictions')
    throw new InputError(
      { file, line: 1 },
      'is no predictions file: the first line has no type "predictions"',
      'Give a file that agentforesight bench walk has written',
    );
  const byRun = new Map<string, PredictedRun>();
  for (const [at, line] of rest.entries()) {
    const run = validate(predictedRunSchema, parseLine(file, at + 2, line), { file, line: at + 2 });
    byRun.set(keyOf(run), run);
  }
  return {
    header: validate(predictionsHeaderSchema, header, { file, line: 1 }),
    predictions: [...byRun.values()],
  };
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
export function keyOf({ truth }: Prediction): string {
  return `${truth.dataset}\0${truth.runId}`;
}

/** Scoring needs no annotator's words, and corpora differ in whether they may be passed on. */
export function asWritten({ truth, ...said }: PredictedRun): PredictedRun {
  if (truth.label.kind === 'safe') return { truth, ...said };
  const { reason: _, ...label } = truth.label;
  return { truth: { ...truth, label }, ...said };
}

/** A line without its end is whole all the same if it is JSON: no object is complete before its last byte. */
function wholeLines(text: string): readonly string[] {
  const lines = text.split('\n');
  const last = lines.pop() as string;
  return last === '' || !isJson(last) ? lines : [...lines, last];
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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
