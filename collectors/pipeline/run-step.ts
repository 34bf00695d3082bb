import { rename, rm, stat } from 'node:fs/promises';
import type { JsonValue } from '../../core/index.js';
import { LimitExceeded } from '../limit-exceeded.js';
import type { StageResult } from '../stage.js';
import { digestOf } from './digest.js';
import type { ResultCounts } from './result-counts.js';
import { type FileAccount, ResultsFile, type WrittenResult } from './results-file.js';
import {
  readManifest,
  removeFrom,
  type StageFiles,
  type StageManifest,
  stageFiles,
  writeManifest,
} from './stage-manifest.js';
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
export function runStep(step: Step, number: number, context: StepContext): Promise<StepOutcome> {
  return new StepRun(step, number, context).run();
}

class StepRun {
  readonly #step: Step;
  readonly #number: number;
  readonly #context: StepContext;
  readonly #files: StageFiles;
  /** The manifest while the step is at work. */
  readonly #begun: StageManifest;

  constructor(step: Step, number: number, context: StepContext) {
    const { name, options, input } = step;
    this.#step = step;
    this.#number = number;
    this.#context = context;
    this.#files = stageFiles(context.folder, number, name);
    this.#begun = { version: 1, name, options, input, key: digestOf([name, options, input]), done: false };
  }

  async run(): Promise<StepOutcome> {
    const { manifest, results, partial } = this.#files;
    const earlier = await readManifest(manifest);
    const isSame = earlier?.key === this.#begun.key;
    const finished = isSame && (await isWhole(earlier, results)) ? earlier : undefined;
    const waiting = finished?.counts?.undecided ?? 0;
    // Left by a call that died while it asked again.
    await rm(partial, { force: true });
    if (finished && !(waiting > 0 && this.#retries)) return { manifest: finished, reused: true, results };
    if (!isSame) await this.#beginAnew();
    const found = await this.#prepare();
    const whole = finished
      ? await this.#retry(Number.POSITIVE_INFINITY, found)
      : await this.#complete(isSame, found);
    return { manifest: whole, reused: false, results };
  }

  get #retries(): boolean {
    return this.#context.retryUndecided && this.#step.retried !== undefined;
  }

  async #beginAnew(): Promise<void> {
    await removeFrom(this.#context.folder, this.#number);
    await rm(this.#files.results, { force: true });
    await writeManifest(this.#files.manifest, this.#begun);
  }

  async #prepare(): Promise<JsonValue | undefined> {
    try {
      return await this.#step.prepare();
    } catch (error) {
      if (error instanceof LimitExceeded)
        await writeManifest(this.#files.manifest, { ...this.#begun, found: error.found });
      throw error;
    }
  }

  async #complete(isTakenUp: boolean, prepared: JsonValue | undefined): Promise<StageManifest> {
    const { results } = this.#files;
    const file = await (isTakenUp ? ResultsFile.resume(results) : ResultsFile.begin(results));
    const { in: before, undecided } = file.tally.counts;
    const account = await this.#fill(file, this.#step.results(before));
    const found = (await this.#step.end?.()) ?? prepared;
    const whole = await this.#done(file, account, found);
    return undecided > 0 && this.#retries ? this.#retry(before, found) : whole;
  }

  async #retry(upTo: number, found: JsonValue | undefined): Promise<StageManifest> {
    const { manifest, results, partial } = this.#files;
    const file = await ResultsFile.begin(partial);
    const account = await this.#fill(file, this.#step.retried?.(results, upTo) ?? nothing());
    // Between the two files' new states the step counts as one that was left: it is taken up, and found to be whole.
    await writeManifest(manifest, this.#begun);
    await rename(partial, results);
    return this.#done(file, account, found);
  }

  async #fill(file: ResultsFile, results: AsyncIterable<StageResult | WrittenResult>): Promise<FileAccount> {
    const { onProgress, signal } = this.#context;
    const { name: step, total } = this.#step;
    const tell = () => {
      const { counts } = file.tally;
      onProgress({ step, phase: 'process', done: counts.in, total, counts });
    };
    try {
      tell();
      for await (const one of results) {
        // What a stage makes of being stopped is no result.
        signal.throwIfAborted();
        await ('line' in one ? file.add(one.result, one.line) : file.add(one));
        tell();
      }
    } catch (error) {
      await file.leave();
      throw error;
    }
    return file.finish();
  }

  async #done(file: ResultsFile, account: FileAccount, found: JsonValue | undefined): Promise<StageManifest> {
    const { counts, decisions } = file.tally;
    const whole = { ...this.#begun, done: true, found, counts, decisions: [...decisions], file: account };
    await writeManifest(this.#files.manifest, whole);
    return whole;
  }
}

async function* nothing(): AsyncGenerator<never> {}

async function isWhole({ done, file }: StageManifest, results: string): Promise<boolean> {
  if (!done || !file) return false;
  const found = await stat(results).catch(() => undefined);
  return found?.size === file.bytes;
}
