import type { Sample } from '../../sample.js';

/** Counts of a corpus for its card: hashes of groups and lengths of runs are all that is kept of a sample. */
export class CorpusCounts {
  /** By domain, kind of label, its source, and split: keys are JSON lists of the four. */
  readonly labels = new Map<string, number>();
  /** By format and licence. */
  readonly sources = new Map<string, number>();
  /** By category and method. */
  readonly faults = new Map<string, number>();
  readonly #groups = new Map<string, number>();
  readonly #lengths: number[] = [];
  ungrouped = 0;
  scored = 0;
  pairs = 0;

  add({ domain, label, split, provenance, group, turns, outcome, pairs = [] }: Sample): void {
    const source = label?.kind === 'unsafe' ? (label.source ?? '') : '';
    count(this.labels, [domain ?? '', label?.kind ?? 'unlabelled', source, split ?? '']);
    count(this.sources, [provenance.format, provenance.licence ?? '']);
    if (provenance.fault) count(this.faults, [provenance.fault.category, provenance.fault.method]);
    if (group === undefined) this.ungrouped++;
    else this.#groups.set(group, (this.#groups.get(group) ?? 0) + 1);
    this.#lengths.push(turns.length);
    if (outcome) this.scored++;
    this.pairs += pairs.length;
  }

  get samples(): number {
    return this.#lengths.length;
  }

  get groups(): { readonly count: number; readonly largest: number } {
    return {
      count: this.#groups.size,
      largest: [...this.#groups.values()].reduce((a, b) => Math.max(a, b), 0),
    };
  }

  /** Turns of the shortest, the middle and the longest run. */
  get turns(): { readonly least: number; readonly median: number; readonly most: number } {
    const sorted = this.#lengths.toSorted((one, other) => one - other);
    const at = (place: number) => sorted[place] ?? 0;
    return { least: at(0), median: at(sorted.length >> 1), most: at(sorted.length - 1) };
  }
}

function count(counts: Map<string, number>, key: readonly string[]): void {
  const place = JSON.stringify(key);
  counts.set(place, (counts.get(place) ?? 0) + 1);
}
