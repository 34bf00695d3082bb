import type { RecordedRun } from '../recorded-run.js';
import { type CorpusCheck, type CorpusQuirk, Groups } from './corpus-check.js';

interface Asked {
  readonly runId: string;
  readonly domain: string;
}

/** Runs of one task: a split that parts them lets a model meet a test task in training. */
export class SharedTasks implements CorpusCheck {
  readonly #byTask = new Groups<Asked>();

  observe({ runId, task, domain = '' }: RecordedRun): void {
    this.#byTask.add(task.trim(), { runId, domain });
  }

  *report(): Generator<CorpusQuirk> {
    for (const members of this.#byTask.ofAtLeast(2)) {
      const domains = [...new Set(members.map(({ domain }) => domain))];
      const runs = members.map(({ runId }) => runId);
      if (domains.length === 1)
        yield { code: 'shared-task', runs, detail: `${runs.length} runs of one task` };
      else yield { code: 'shared-task-across-domains', runs, detail: `in ${domains.join(' and ')}` };
    }
  }
}
