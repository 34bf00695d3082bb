import { mkdir } from 'node:fs/promises';
import { InputError, messageOf, SetupError } from '../core/index.js';
import type { Exporter } from './exporter.js';
import { FolderLock } from './pipeline/folder-lock.js';
import { runExport } from './pipeline/run-export.js';
import { runStep, type StepContext, type StepOutcome, type StepProgress } from './pipeline/run-step.js';
import { sourceStep } from './pipeline/source-step.js';
import type { StageManifest } from './pipeline/stage-manifest.js';
import { stageStep } from './pipeline/stage-step.js';
import { inProcess, type Workforce } from './pipeline/workforce.js';
import type { Source } from './source.js';
import type { Stage } from './stage.js';

export interface PipelineOptions {
  readonly source: Source;
  /** In their order. */
  readonly stages: readonly Stage[];
  readonly exporters?: readonly Exporter[] | undefined;
  /** Holds a results file and a manifest of each step; one process at a time. */
  readonly folder: string;
  /** Asks again where whoever was to decide had failed. */
  readonly retryUndecided?: boolean | undefined;
  /** Who does the stages' work. Default: this process. */
  readonly workforce?: Workforce | undefined;
  /** Stops between two results. What has been done is taken up by the next call. */
  readonly signal?: AbortSignal | undefined;
  /** Called for every sample, a few times a step: must be quick. */
  readonly onProgress?: ((progress: StepProgress) => void) | undefined;
  /** Called at the end of each step. */
  readonly onStep?: ((manifest: StageManifest, reused: boolean) => void) | undefined;
}

/**
 * Runs a source, stages and exports, each over all that the one before has handed on. Every step leaves `NN-name.jsonl`,
 * a line for each sample that it was given, and `NN-name.json`. Killed anywhere and called again, it makes the same
 * bytes; a step that is finished is not run again.
 * @returns the steps' manifests
 * @throws InputError when the folder cannot be made, or another process is at work in it
 * @throws the signal's reason, and whatever a step throws
 */
export async function runPipeline(options: PipelineOptions): Promise<readonly StageManifest[]> {
  const { source, stages, exporters = [], folder, onStep, onProgress } = options;
  for (const { name } of [source, ...stages, ...exporters]) requireFileName(name);
  const context: StepContext = {
    folder,
    signal: options.signal ?? new AbortController().signal,
    retryUndecided: options.retryUndecided ?? false,
    workforce: options.workforce ?? inProcess,
    onProgress: (progress) => onProgress?.(progress),
  };
  await mkdir(folder, { recursive: true }).catch((cause: unknown) => {
    throw new InputError(
      { file: folder },
      `no folder can be made here (${messageOf(cause)})`,
      'Give another one',
      {
        cause,
      },
    );
  });
  const lock = await FolderLock.take(folder);
  try {
    context.signal.throwIfAborted();
    const first = await runStep(await sourceStep(source, context), 1, context);
    onStep?.(first.manifest, first.reused);
    const steps: StepOutcome[] = [first];
    for (const stage of stages) {
      const step = stageStep(stage, steps.at(-1) as StepOutcome, context);
      const outcome = await runStep(step, steps.length + 1, context);
      onStep?.(outcome.manifest, outcome.reused);
      steps.push(outcome);
    }
    const manifests = steps.map(({ manifest }) => manifest);
    for (const exporter of exporters) {
      const manifest = await runExport(exporter, manifests.length + 1, steps, context);
      onStep?.(manifest, false);
      manifests.push(manifest);
    }
    return manifests;
  } finally {
    await lock.release();
  }
}

function requireFileName(name: string): void {
  if (/^[a-z][a-z\d]*(-[a-z\d]+)*$/.test(name)) return;
  throw new SetupError('pipeline', `a step is named ${JSON.stringify(name)}`, 'Give it a name in kebab-case');
}
