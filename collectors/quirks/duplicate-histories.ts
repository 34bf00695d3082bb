import type { RecordedRun, RunLabel } from '../recorded-run.js';
import { type CorpusCheck, type CorpusQuirk, Groups } from './corpus-check.js';

interface Labelled {
  readonly runId: string;
  readonly label: string;
}

/** Runs whose turns are all the same, whatever their questions and labels are. */
export class DuplicateHistories implements CorpusCheck {
  readonly #byHistory = new Groups<Labelled>();

  observe({ runId, turns, label }: RecordedRun): void {
    const history = turns.map(({ agent, kind, thought, content, toolCalls }) => [
      agent,
      kind,
      thought ?? '',
      content,
      toolCalls ?? [],
    ]);
    this.#byHistory.add(JSON.stringify(history), { runId, label: written(label) });
  }

  *report(): Generator<CorpusQuirk> {
    for (const members of this.#byHistory.ofAtLeast(2)) {
      const labels = [...new Set(members.map(({ label }) => label))];
      const runs = members.map(({ runId }) => runId);
      if (labels.length === 1) yield { code: 'duplicate-history', runs, detail: agreement(labels[0]) };
      else yield { code: 'duplicate-history-labels-differ', runs, detail: `labelled ${labels.join(' or ')}` };
    }
  }
}

function agreement(label: string | undefined): string {
  return label === UNLABELLED ? 'none is labelled' : `all labelled ${label}`;
}

const UNLABELLED = 'nothing';

function written(label: RunLabel | undefined): string {
  if (label?.kind === 'unsafe') return `step ${label.step} (${label.agent})`;
  return label?.kind ?? UNLABELLED;
}
