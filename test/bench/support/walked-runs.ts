import fs from 'node:fs';
import path from 'node:path';
import type { BenchRun } from '../../../bench/bench-run.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';

export function benchRun(
  runId: string,
  label: RunLabel = { kind: 'safe' },
  contents: readonly string[] = ['6 times 7?', 'plan', '42', 'done'],
): BenchRun {
  const turns = contents.map((content, step) => ({
    agent: step === 0 ? 'user' : 'solver',
    kind: step === 0 ? ('user' as const) : ('agent' as const),
    content,
  }));
  const run = {
    runId,
    source: `${runId}.json`,
    task: contents[0] ?? '',
    tools: [],
    turns,
    label,
    quirks: [],
  };
  return { run, dataset: 'hand-made', group: runId };
}

/** Runs as Who&When publishes them, a file each: the odd ones are decided at step 2, in words that tell it. */
export function whoAndWhenFolder(folder: string, count: number): string {
  const data = path.join(folder, 'data');
  fs.mkdirSync(data);
  for (let number = 1; number <= count; number++) {
    const isBad = number % 2 === 1;
    const history = [
      'Which pump is dearest?',
      'Let us look.',
      isBad ? 'WRONG: pump B.' : 'Pump A.',
      'Done.',
    ].map((content, step) => ({
      content: `${content} (${number})`,
      role: 'user',
      name: step === 0 ? 'human' : 'Solver',
    }));
    const mistake = isBad
      ? { mistake_agent: 'Solver', mistake_step: '2', mistake_reason: 'Pump A is dearer.' }
      : {};
    const run = { is_correct: !isBad, question: `Which pump is dearest? (${number})`, history, ...mistake };
    fs.writeFileSync(path.join(data, `${number}.json`), JSON.stringify(run));
  }
  return data;
}

/** Lines of a predictions file without what depends on the clock. */
export function timeless(file: string): readonly string[] {
  return fs
    .readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) =>
      JSON.stringify(JSON.parse(line), (field, value) =>
        field === 'ms' || field === 'durationMs' || field === 'createdAt' ? 0 : value,
      ),
    );
}
