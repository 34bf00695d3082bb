import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { z } from 'zod';
import { InputError, type JsonValue } from '../../core/index.js';
import { writeWhole } from '../exporters/write-whole.js';

const json = z.custom<JsonValue>((value) => value !== undefined);
const count = z.int().nonnegative();

const manifestSchema = z.object({
  /** Of this file. */
  version: z.literal(1),
  name: z.string(),
  options: json,
  /** SHA-256 of the file that it reads; of a source, of all that it reads. */
  input: z.string(),
  /** SHA-256 of name, options and input. Another one makes another result. */
  key: z.string(),
  done: z.boolean(),
  /** What `prepare` found, a source counted, or an export wrote. */
  found: json.optional(),
  counts: z.object({ in: count, kept: count, dropped: count, undecided: count, out: count }).optional(),
  decisions: z
    .array(
      z.object({
        rule: z.string(),
        verdict: z.enum(['keep', 'drop', 'undecided']),
        reason: z.string(),
        count,
      }),
    )
    .optional(),
  file: z.object({ lines: count, bytes: count, sha256: z.string() }).optional(),
});

/** What is known of one step of the pipeline: of a stage, of the source before them, or of an export after them. */
export type StageManifest = Readonly<z.infer<typeof manifestSchema>>;

/** The files of one step: `03-filter.json` and `03-filter.jsonl` in the pipeline's folder. */
export interface StageFiles {
  readonly manifest: string;
  readonly results: string;
}

/** @param number 1-based */
export function stageFiles(folder: string, number: number, name: string): StageFiles {
  const stem = path.join(folder, `${String(number).padStart(2, '0')}-${name}`);
  return { manifest: `${stem}.json`, results: `${stem}.jsonl` };
}

/** @throws InputError when something else lies in its place */
export async function readManifest(file: string): Promise<StageManifest | undefined> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (text === undefined) return undefined;
  const manifest = parsed(text);
  if (manifest) return manifest;
  throw new InputError({ file }, 'is no manifest of a stage', 'Give a folder of its own, or remove the file');
}

export function writeManifest(file: string, manifest: StageManifest): Promise<void> {
  return writeWhole(file, (partial) => writeFile(partial, `${JSON.stringify(manifest, undefined, 2)}\n`));
}

/** Removes the steps from this one on, of whatever name: they were made from what is no more. */
export async function removeFrom(folder: string, number: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, digits] = /^(\d{2,})-[a-z\d-]+\.json$/.exec(name) ?? [];
    const file = path.join(folder, name);
    if (digits === undefined || Number(digits) < number || !parsed(await readFile(file, 'utf8'))) continue;
    // The manifest last: without it nobody would know whose the other file is.
    await rm(`${file}l`, { force: true });
    await rm(file);
  }
}

function parsed(text: string): StageManifest | undefined {
  try {
    return manifestSchema.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}
