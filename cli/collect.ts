import path from 'node:path';
import { defaultConfig, exportersOf, readCollectConfig, stagesOf } from '../collectors/collect-config.js';
import { runFiles, testRunIds } from '../collectors/importers/run-files.js';
import { judgeFrom } from '../collectors/judge/judge-config.js';
import { LimitExceeded } from '../collectors/limit-exceeded.js';
import type { StepProgress } from '../collectors/pipeline/run-step.js';
import type { StageManifest } from '../collectors/pipeline/stage-manifest.js';
import { runPipeline } from '../collectors/pipeline.js';
import { queueWorkforce } from '../collectors/queue/queue-workforce.js';
import type { Stage } from '../collectors/stage.js';
import { ingestSource } from '../collectors/stages/ingest.js';
import { InputError } from '../core/index.js';
import { completenessTable, stepTable } from './collect/print.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';
import { count } from './figures.js';
import { Progress } from './progress.js';

export interface CollectOptions {
  readonly out: string;
  readonly config?: string;
  readonly sample?: number;
  readonly consent?: 'recorded' | 'assume';
  readonly licence?: string;
  /** False with `--no-redact`. */
  readonly redact: boolean;
  readonly until?: string;
  /** Where other processes find work. */
  readonly queue?: string;
  readonly retryUndecided?: boolean;
  readonly json?: boolean;
  readonly keepGoing?: boolean;
  readonly maxTurnMb?: number;
}

/** `agentforesight collect`: recorded runs through the stages of a configuration, into training data. */
export async function collect(
  paths: readonly string[],
  options: CollectOptions,
  stop: AbortSignal,
): Promise<number> {
  const { config: file, out, until, maxTurnMb, keepGoing = false, retryUndecided = false } = options;
  const config = file === undefined ? defaultConfig : await readCollectConfig(file);
  const { redact = true, ...ingest } = config.ingest;
  const place = file ?? 'the default configuration';
  refuseInside(out, paths);
  const { env } = process;
  const deps = {
    judge: config.judge && judgeFrom(config.judge, out, env),
    folder: out,
    env,
    testRunIds: async () => testRunIds(await runFiles(paths)),
  };
  const stages = upTo(until, await stagesOf(config, place, deps));
  const exporters = until === undefined ? exportersOf(config, place) : [];
  const { sample, consent, licence } = options;
  const source = ingestSource({
    ...ingest,
    paths,
    ...(sample !== undefined && { sample }),
    ...(consent !== undefined && { consent }),
    ...(licence !== undefined && { licence }),
    ...(!(redact && options.redact) && { redactor: false }),
    ...(maxTurnMb !== undefined && { maxTurnBytes: maxTurnMb * 2 ** 20 }),
    keepGoing,
    onBadInput: ({ message }) => complain(message),
    onWarning: (warning) => complain(`warning: ${warning}`),
  });
  const steps: FinishedStep[] = [];
  const bars = new StepBars();
  const workforce =
    options.queue === undefined
      ? undefined
      : await queueWorkforce({ connectionString: options.queue, folder: out });
  try {
    await runPipeline({
      source,
      stages,
      exporters,
      folder: out,
      retryUndecided,
      workforce,
      signal: stop,
      onProgress: (progress) => bars.show(progress),
      onStep: (manifest, reused) => {
        bars.end();
        steps.push({ manifest, reused });
      },
    });
  } catch (error) {
    bars.end();
    if (stop.aborted) {
      await print(steps, options);
      complain(`stopped; the same command takes it up again`);
      return ExitCode.interrupted;
    }
    if (!(error instanceof LimitExceeded)) throw error;
    await print(steps, options);
    complain(error.message);
    return ExitCode.limit;
  } finally {
    await workforce?.close();
  }
  await print(steps, options);
  return unreadableIn(steps) > 0 ? ExitCode.badInput : ExitCode.ok;
}

export interface FinishedStep {
  readonly manifest: StageManifest;
  readonly reused: boolean;
}

async function print(steps: readonly FinishedStep[], { json, out }: CollectOptions): Promise<void> {
  if (json) {
    console.log(JSON.stringify({ steps: steps.map(({ manifest, reused }) => ({ ...manifest, reused })) }));
    return;
  }
  if (steps.length === 0) return;
  console.log(`${(await completenessTable(out)).join('\n')}\n\n${stepTable(steps).join('\n')}`);
  const undecided = steps.reduce((sum, { manifest }) => sum + (manifest.counts?.undecided ?? 0), 0);
  if (undecided > 0) console.log(`\n${count(undecided, 'run')} undecided; --retry-undecided asks again.`);
  const left = steps.findLast(({ manifest }) => manifest.counts)?.manifest.counts?.out;
  if (left === 0 && undecided === 0)
    complain(
      'no run is left: the table says which step dropped them. Our own logs need consent, recorded or assumed (--consent assume), and an outcome; see docs/collectors/pipeline.md',
    );
}

/** A bar for each step, one after the other. */
class StepBars {
  #bar: Progress | undefined;
  #of = '';

  show({ step, phase, done, total, counts }: StepProgress): void {
    const of = `${step} ${phase}`;
    if (of !== this.#of) {
      this.end();
      this.#of = of;
      const what = total === undefined ? 'runs read' : phase === 'prepare' ? `${step} (looking)` : step;
      this.#bar = new Progress(what, { isAlone: true, total, from: done });
    }
    const { dropped = 0, undecided = 0 } = counts ?? {};
    const notes = [dropped > 0 && `${dropped} dropped`, undecided > 0 && `${undecided} undecided`];
    this.#bar?.show(done, notes.filter(Boolean).join(', '));
  }

  end(): void {
    this.#bar?.end();
    this.#bar = undefined;
    this.#of = '';
  }
}

function upTo(last: string | undefined, stages: readonly Stage[]): readonly Stage[] {
  if (last === undefined) return stages;
  if (last === 'ingest') return [];
  const at = stages.findIndex(({ name }) => name === last);
  if (at >= 0) return stages.slice(0, at + 1);
  const names = ['ingest', ...stages.map(({ name }) => name)].join(', ');
  throw new InputError({ file: '--until' }, `there is no stage ${last}`, `Stages are ${names}`);
}

/** What is made here would be read as runs by the next call. */
function refuseInside(out: string, paths: readonly string[]): void {
  for (const given of paths) {
    const inside = path.relative(path.resolve(given), path.resolve(out));
    if (inside === '..' || inside.startsWith(`..${path.sep}`) || path.isAbsolute(inside)) continue;
    throw new InputError({ file: out }, `is inside of ${given}, which is read`, 'Give --out a folder apart');
  }
}

function unreadableIn([ingest]: readonly FinishedStep[]): number {
  const found = ingest?.manifest.found;
  return typeof found === 'object' && found !== null && 'unreadable' in found
    ? Number(found['unreadable'])
    : 0;
}
