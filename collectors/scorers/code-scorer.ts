import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { messageOf, readOptions } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { finalCode } from './final-code.js';
import { type Interpreter, interpreterOf, type Language } from './sandbox/interpreters.js';
import { runSandboxed, type SandboxLimits, type SandboxResult } from './sandbox/sandbox.js';
import type { Score, Scorer } from './scorer.js';
import { testProgram } from './test-program.js';

const textOf = z.custom<(sample: Sample) => string | undefined>((value) => typeof value === 'function', {
  error: 'expected a function from a sample to a text',
});

const limitsSchema = z.strictObject({
  wallMs: z.int().min(1).default(10_000),
  cpuSeconds: z.int().min(1).default(5),
  memoryBytes: z
    .int()
    .min(16 * 2 ** 20)
    .default(512 * 2 ** 20),
  processes: z.int().min(1).default(48),
  diskBytes: z
    .int()
    .min(2 ** 20)
    .default(32 * 2 ** 20),
  outputBytes: z
    .int()
    .min(1_000)
    .default(2 ** 20),
});

const optionsSchema = z.strictObject({
  tests: textOf,
  code: textOf.optional(),
  language: z.enum(['python', 'javascript']).default('python'),
  domains: z.array(z.string()).default(['coding']),
  limits: limitsSchema.prefault({}),
  version: z.string().default(''),
});

export interface CodeScorerOptions {
  /** The tests of a sample's task, in its language: a program that throws, or exits other than with 0, when they fail. */
  readonly tests: (sample: Sample) => string | undefined;
  /** The code under test. Default: the last that an agent has written or submitted. */
  readonly code?: ((sample: Sample) => string | undefined) | undefined;
  /** Default `"python"`: the `python3` on the path. `"javascript"` runs on this Node. */
  readonly language?: Language | undefined;
  /** Samples of these domains that have tests are its own. Default `["coding"]`. */
  readonly domains?: readonly string[] | undefined;
  readonly limits?: Partial<SandboxLimits> | undefined;
  /** Another version makes the stage begin anew, for nothing else tells that the functions have changed. */
  readonly version?: string | undefined;
}

/**
 * Whether the code that a run ends with passes its task's tests, run in a sandbox: docs/collectors/outcome.md says what
 * that holds and on which machines. Where there is no sandbox nothing is run, and the sample waits.
 * @throws SetupError on an unknown or malformed option
 */
export function codeScorer(options: CodeScorerOptions): Scorer {
  const parsed = readOptions('codeScorer', optionsSchema, options);
  const { tests: testsOf, code: codeOf, language, domains, limits, version } = parsed;
  let finding: Promise<Interpreter> | undefined;

  async function run(code: string, tests: string, signal: AbortSignal): Promise<Score> {
    finding ??= interpreterOf(language);
    const { file, command, shown, reservedBytes } = await finding;
    // Told to the tests alone, and said when they are through: that the process ended well does not show that they ran.
    const done = randomUUID();
    const files = testProgram({ language, file, code, tests, done });
    const result = await runSandboxed(
      { files, command: command(limits), shown, reservedBytes },
      limits,
      signal,
    );
    return scoreOf(result, done);
  }

  return {
    name: 'code',
    options: { language, domains, limits, version },
    async score(sample, signal) {
      signal.throwIfAborted();
      if (!domains.includes(sample.domain ?? '')) return undefined;
      try {
        const tests = testsOf(sample);
        if (tests === undefined) return undefined;
        const code = codeOf ? codeOf(sample) : finalCode(sample.turns, language);
        if (code === undefined) return { value: 0, reason: 'the run gives no code' };
        return await run(code, tests, signal);
      } catch (cause) {
        signal.throwIfAborted();
        return { failure: { kind: 'error', message: messageOf(cause) } };
      }
    },
  };
}

function scoreOf(result: SandboxResult, done: string): Score {
  if (result.kind === 'unavailable')
    return { failure: { kind: 'error', message: `there is no sandbox to run it in: ${result.message}` } };
  const evidence = { stdout: result.stdout.slice(-1_000), stderr: result.stderr.slice(-1_000) };
  const fails = (reason: string): Score => ({ value: 0, reason, evidence });
  if (result.kind === 'stopped') return fails(`stopped at its limit of ${result.limit}`);
  if (result.exitCode > 128) return fails(`ended by signal ${result.exitCode - 128}, as at a limit`);
  if (result.exitCode !== 0) return fails(`the tests fail: ${lastLine(result.stderr)}`);
  if (result.stdout.trimEnd().split('\n').at(-1) !== done) return fails('it ended before its tests did');
  return { value: 1, reason: 'the tests pass' };
}

function lastLine(text: string): string {
  return text.trimEnd().split('\n').at(-1)?.slice(0, 200) || 'without a word';
}
