import path from 'node:path';
import type { Exporter } from '../exporter.js';
import { digestOf } from './digest.js';
import { samplesIn } from './results-file.js';
import type { StepContext, StepOutcome } from './run-step.js';
import { readManifest, removeFrom, type StageManifest, stageFiles, writeManifest } from './stage-manifest.js';

/** Folder of all exports, inside the pipeline's. */
const EXPORTS = 'export';

/** Exports what the last stage has handed on. The files are written anew also when they should be there: they are cheap. */
export async function runExport(
  exporter: Exporter,
  number: number,
  steps: readonly StepOutcome[],
  context: StepContext,
): Promise<StageManifest> {
  const { options } = exporter;
  const last = steps.at(-1) as StepOutcome;
  const name = `export-${exporter.name}`;
  const { manifest: file } = stageFiles(context.folder, number, name);
  const input = last.manifest.file?.sha256 ?? '';
  const begun = {
    version: 1,
    name,
    options,
    input,
    key: digestOf([name, options, input]),
    done: false,
  } as const;
  if ((await readManifest(file))?.key !== begun.key) await removeFrom(context.folder, number);
  await writeManifest(file, begun);
  const accounts = steps.map(({ manifest: { name: stage, options: given, found, decisions = [] } }) => ({
    name: stage,
    options: given,
    found,
    decisions,
  }));
  const total = last.manifest.counts?.out;
  async function* samples() {
    let done = 0;
    for await (const sample of samplesIn(last.results)) {
      context.signal.throwIfAborted();
      context.onProgress({ step: name, phase: 'process', done: done++, total, counts: undefined });
      yield sample;
    }
  }
  const found = await exporter.write(samples(), path.join(context.folder, EXPORTS), accounts);
  const done = { ...begun, done: true, found };
  await writeManifest(file, done);
  return done;
}
