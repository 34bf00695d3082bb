import { type ReadOptions, readRuns } from '../../core/index.js';
import { quirksOf } from '../quirks/check.js';
import { runChecks } from '../quirks/run-checks.js';
import type { RecordedRun } from '../recorded-run.js';

/** The runs of our own log. What was said of them when they ran stays behind: they are judged anew. */
export async function* readRunLog(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  for await (const { run, line, turns, outcome } of readRuns(path, options)) {
    const recorded = {
      runId: run.runId,
      source: `${path}:${line}`,
      task: run.task,
      tools: run.tools,
      turns,
      domain: run.framework,
      label: undefined,
    };
    const cutOff = {
      code: 'cut-off',
      detail: 'the log ends before the run does: the process died, or is still at work',
    };
    yield { ...recorded, quirks: [...(outcome ? [] : [cutOff]), ...quirksOf(runChecks, recorded)] };
  }
}
