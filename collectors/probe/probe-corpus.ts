import { hash } from 'node:crypto';
import type { Sample } from '../sample.js';
import { groupKeys, sampleKey } from '../split/group-keys.js';
import { KeyGroups } from '../split/key-groups.js';
import { type ReadRun, readRun } from './read-run.js';
import { TurnNgrams } from './turn-ngrams.js';

/** What a probe knows of one labelled run: no text. */
export interface ProbeRun extends ReadRun {
  readonly id: string;
  readonly domain: string;
  /** Runs of one group are trained on together or tested on together. */
  readonly group: string;
  /** Undefined for a safe run. */
  readonly error: { readonly step: number; readonly source: 'injected' | 'natural' | 'unknown' } | undefined;
}

/**
 * Reads any number of samples and keeps at most `mostRuns` of them, as numbers. Which ones depends on their tasks alone,
 * not on their order, and a task's runs stay together. Unlabelled runs and those of a test split are not read.
 */
export class ProbeCorpus {
  readonly ngrams = new TurnNgrams();
  readonly #mostRuns: number;
  readonly #groups = new KeyGroups();
  #runs: DrawnRun[] = [];
  /** Runs drawn later than this one are beyond what is kept. */
  #last = '\uffff';
  #labelled = 0;

  constructor(mostRuns: number) {
    this.#mostRuns = mostRuns;
  }

  /** Labelled runs seen. */
  get labelled(): number {
    return this.#labelled;
  }

  add(sample: Sample): void {
    const { id, domain = 'no domain', label, split } = sample;
    if (label === undefined || split === 'test') return;
    this.#labelled++;
    this.#groups.join([
      ...groupKeys(sample),
      ...(sample.group === undefined ? [] : [`group ${sample.group}`]),
    ]);
    const draw = hash('sha256', folded(sample.task)) + sampleKey(id);
    if (draw > this.#last) return;
    const source = label.kind === 'unsafe' ? (label.source ?? 'unknown') : undefined;
    this.#runs.push({
      draw,
      id,
      domain,
      error: label.kind === 'unsafe' && source ? { step: label.step, source } : undefined,
      ...readRun(sample, this.ngrams),
    });
    if (this.#runs.length >= 2 * this.#mostRuns) this.#cut();
  }

  /** In an order that is the same whatever order they were read in. */
  runs(): readonly ProbeRun[] {
    this.#cut();
    return this.#runs.map(({ draw: _, ...run }) => ({
      ...run,
      group: this.#groups.nameOf(sampleKey(run.id)) as string,
    }));
  }

  #cut(): void {
    this.#runs.sort((one, other) => (one.draw < other.draw ? -1 : 1));
    this.#runs = this.#runs.slice(0, this.#mostRuns);
    if (this.#runs.length === this.#mostRuns) this.#last = this.#runs.at(-1)?.draw ?? this.#last;
  }
}

type DrawnRun = Omit<ProbeRun, 'group'> & {
  /** The runs with the smallest ones are kept. */
  readonly draw: string;
};

function folded(text: string): string {
  return text.toLowerCase().replace(/\s+/g, ' ').trim();
}
