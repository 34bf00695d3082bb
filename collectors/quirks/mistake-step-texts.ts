import type { RecordedRun } from '../recorded-run.js';
import { type CorpusCheck, type CorpusQuirk, Groups } from './corpus-check.js';

interface Spoken {
  readonly runId: string;
  /** Runs of one domain and source that are labelled at one step: `injected coding runs labelled at step 4`. */
  readonly cohort: string;
  readonly opening: string;
}

/** Fewer may be chance: short answers such as `Yes.` */
const REPEATED_RUNS = 3;
const OPENING_CHARACTERS = 60;

/** The same words at the labelled step of several runs: a template of whoever injected the fault, and an auditor's shortcut. */
export class MistakeStepTexts implements CorpusCheck {
  readonly #byText = new Groups<Spoken>();
  readonly #cohortSizes = new Map<string, number>();

  observe({ runId, turns, label, domain }: RecordedRun): void {
    if (label?.kind !== 'unsafe') return;
    const text = turns[label.step]?.content.trim() ?? '';
    const cohort = [label.source, domain, `runs labelled at step ${label.step}`].filter(Boolean).join(' ');
    this.#cohortSizes.set(cohort, (this.#cohortSizes.get(cohort) ?? 0) + 1);
    if (text !== '') {
      this.#byText.add(JSON.stringify([cohort, text]), {
        runId,
        cohort,
        opening: text.slice(0, OPENING_CHARACTERS),
      });
    }
  }

  *report(): Generator<CorpusQuirk> {
    for (const members of this.#byText.ofAtLeast(REPEATED_RUNS)) {
      const { cohort, opening } = members[0] as Spoken;
      const share = `${members.length} of ${this.#cohortSizes.get(cohort)} ${cohort}`;
      const runs = members.map(({ runId }) => runId);
      yield {
        code: 'repeated-text-at-mistake-step',
        runs,
        detail: `${share} say ${JSON.stringify(opening)}`,
      };
    }
  }
}
