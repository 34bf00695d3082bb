import type { Baseline } from '../../../bench/baselines/baseline.js';
import type { BenchRun } from '../../../bench/bench-run.js';
import type { Protocol } from '../../../bench/protocol.js';
import { type WalkRunOptions, walkRun } from '../../../bench/walk-run.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { SampleTurn } from '../../../collectors/sample.js';
import { type Behaviour, fails, replies } from '../../support/model-server/behaviours.js';
import { modelServer, type SeenChat } from '../../support/model-server.js';

/** Three turns, the last of which is wrong. */
export const SUM: readonly SampleTurn[] = [
  { agent: 'user', kind: 'user', content: 'Sum 2 and 2.' },
  { agent: 'planner', kind: 'agent', content: 'Add them.' },
  { agent: 'solver', kind: 'agent', content: 'It is 5.' },
];

export function benchRun(
  turns: readonly SampleTurn[] = SUM,
  label: RunLabel = { kind: 'unsafe', step: 2, agent: 'solver' },
): BenchRun {
  const task = turns[0]?.content ?? '';
  return {
    run: { runId: 'run', source: 'here', task, tools: [], turns, label, quirks: [] },
    dataset: 'made',
    group: 'made',
  };
}

export interface WalkOptions extends Partial<WalkRunOptions> {
  readonly protocol?: Protocol;
  readonly config?: object;
  readonly bench?: BenchRun;
  /** That the server knows beside `/v1/chat/completions`. */
  readonly paths?: readonly string[];
}

/** Walks a run with a baseline over a server with a script; what comes after the script is refused. */
export async function walking(
  baseline: Baseline,
  script: readonly Behaviour[] | ((seen: SeenChat, count: number) => Behaviour),
  { config = {}, bench = benchRun(), paths = [], protocol = 'post-hoc', ...options }: WalkOptions = {},
) {
  const server = await modelServer(
    (seen, count) =>
      typeof script === 'function'
        ? script(seen, count)
        : (script[count] ?? fails(400, 'the script is over')),
    ['/v1/chat/completions', ...paths],
  );
  // One at a time, so that requests come in the order in which they were made.
  const served = { baseURL: server.baseURL, model: 'tiny', retries: 0, concurrency: 1 };
  const auditor = baseline.create(baseline.configSchema.parse({ ...served, ...config }), {});
  const signal = AbortSignal.timeout(30_000);
  const prediction = await walkRun(bench, auditor, { protocol, signal, ...options });
  const calls = prediction.audits.flatMap((audit) => audit.calls);
  return { server, auditor, prediction, purposes: calls.map(({ purpose }) => purpose), calls };
}

/** The lines of JSON before the question: the run, then the notes. */
export function linesOf(seen: SeenChat | undefined): readonly Record<string, unknown>[] {
  return (userOf(seen).split('\n\n')[0] ?? '')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

export function notesOf(seen: SeenChat | undefined): readonly Record<string, unknown>[] {
  return linesOf(seen).filter((line) => !('task' in line || 'tool' in line || 'kind' in line));
}

/** The step of the newest turn shown. */
export function newestOf(seen: SeenChat | undefined): unknown {
  return linesOf(seen).findLast((line) => 'kind' in line)?.['step'];
}

export function questionOf(seen: SeenChat | undefined): string {
  return userOf(seen).split('\n\n').slice(1).join('\n\n');
}

function userOf(seen: SeenChat | undefined): string {
  const message = seen?.body.messages[1];
  if (message?.role !== 'user') throw new Error('there is no such question');
  return message.content;
}

export const answers = (value: unknown, thinking = 'Let me see. '): Behaviour =>
  replies({ text: `${thinking}${JSON.stringify(value)}` });
