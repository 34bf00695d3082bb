import { rename, rm, stat } from 'node:fs/promises';
import type { JsonValue } from '../../core/index.js';
import { LimitExceeded } from '../limit-exceeded.js';
import type { StageResult } from '../stage.js';
import { digestOf } from './digest.js';
import type { ResultCounts } from './result-counts.js';
import { ResultsFile, type WrittenResult } from './results-file.js';
import { readManifest, removeFrom, type StageManifest, stageFiles, writeManifest } from './stage-manifest.js';
import type { Workforce } from './workforce.js';

/** How far a step has come. */
export interface StepProgress {
  readonly step: string;
  /** `prepare`: the stage looks at the whole corpus before it begins. */
  readonly phase: 'prepare' | 'process';
  /** Samples, those of earlier calls included. */
  readonly done: number;
  /** Unknown of a source. */
  readonly total: number | undefined;
  /** Of this phase. */
  readonly counts: ResultCounts | undefined;
}

/** What the steps of one pipeline share. */
export interface StepContext {
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly retryUndecided: boolean;
  readonly workforce: Workforce;
  onProgress(progress: StepProgress): void;
}

/** A source or a stage on its input. */
export interface Step {
  readonly name: string;
  readonly options: JsonValue;
  /** SHA-256 of what it reads. */
  readonly input: string;
  readonly total: number | undefined;
  prepare(): Promise<JsonValue | undefined>;
  /** In the order of the input, but for so many of the first. */
  results(from: number): AsyncIterable<StageResult | WrittenResult>;
  /** Results with new ones in place of undecided ones among so many of the first. */
  retried?(results: string, upTo: number): AsyncIterable<StageResult | WrittenResult>;
  /** @returns what has been found by the end, if that is not known before */
  end?(): Promise<JsonValue | undefined>;
}

export interface StepOutcome {
  readonly manifest: StageManifest;
  /** It was finished by an earlier call, and nothing has changed since. */
  readonly reused: boolean;
  /** The file of its results. */
  readonly results: string;
}

/**
 * Brings a step to its end, from wherever an earlier call has left it. What it leaves on disk at any moment is taken up
 * by the next call, unless options or input are others by then: in that case the step and all after it begin anew.
 */
export async function runStep(step: Step, number: number, context: StepContext): Promise<StepOutcome> {
  const { name, options, input } = step;
  const files = stageFiles(context.folder, number, name);
  const key = digestOf([name, options, input]);
  const begun: StageManifest = { version: 1, name, options, input, key, done: false };
  const earlier = await readManifest(files.manifest);
  const isSame = earlier?.key === key;
  const finished = isSame && (await isWhole(earlier, files.results)) ? earlier : undefined;
  const waiting = context.retryUndecided && step.retried ? (finished?.counts?.undecided ?? 0) : 0;
  if (finished && waiting === 0) return { manifest: finished, reused: true, results: files.results };

  if (!isSame) {
    await removeFrom(context.folder, number);
    await rm(files.results, { force: true });
    await writeManifest(files.manifest, begun);
  }
  const prepared = await prepare();
  let manifest = finished ?? (await complete());
  if (waiting > 0) manifest = await retry(Number.POSITIVE_INFINITY);
  return { manifest, reused: false, results: files.results };

  async function prepare(): Promise<JsonValue | undefined> {
    try {
      return await step.prepare();
    } catch (error) {
      if (error instanceof LimitExceeded)
        await writeManifest(files.manifest, { ...begun, found: error.found });
      throw error;
    }
  }

  async function complete(): Promise<StageManifest> {
    const file = await (isSame ? ResultsFile.resume(files.results) : ResultsFile.begin(files.results));
    const [before, undecidedBefore] = [file.lines, file.tally.counts.undecided];
    const account = await fill(file, step.results(before));
    const found = (await step.end?.()) ?? prepared;
    const { counts, decisions } = file.tally;
    const whole = { ...begun, done: true, found, counts, decisions: [...decisions], file: account };
    await writeManifest(files.manifest, whole);
    return context.retryUndecided && step.retried && undecidedBefore > 0 ? retry(before) : whole;
  }

  async function retry(upTo: number): Promise<StageManifest> {
    const partial = `${files.results}.partial`;
    const file = await ResultsFile.begin(partial);
    const retried = step.retried?.(files.results, upTo) ?? [];
    const account = await fill(file, retried as AsyncIterable<StageResult | WrittenResult>);
    const { counts, decisions } = file.tally;
    const found = prepared;
    // Between the two files' new states the step counts as one that was left: it is taken up, and found to be whole.
    await writeManifest(files.manifest, begun);
    await rename(partial, files.results);
    const whole = { ...begun, done: true, found, counts, decisions: [...decisions], file: account };
    await writeManifest(files.manifest, whole);
    return whole;
  }

  async function fill(file: ResultsFile, results: AsyncIterable<StageResult | WrittenResult>) {
    const tell = () => {
      const { counts } = file.tally;
      context.onProgress({ step: name, phase: 'process', done: counts.in, total: step.total, counts });
    };
    try {
      tell();
      for await (const one of results) {
        // What a stage makes of being stopped is no result.
        context.signal.throwIfAborted();
        await ('line' in one ? file.add(one.result, one.line) : file.add(one));
        tell();
      }
    } catch (error) {
      await file.leave();
      throw error;
    }
    return file.finish();
  }
}

async function isWhole({ done, file }: StageManifest, results: string): Promise<boolean> {
  if (!done || !file) return false;
  const found = await stat(results).catch(() => undefined);
  return found?.size === file.bytes;
}
