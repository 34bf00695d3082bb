import type { PrefixRows } from './prefix-rows.js';
import type { ProbeColumn } from './probe-kind.js';
import type { ReadRun } from './read-run.js';
import type { TurnNgrams } from './turn-ngrams.js';

/** Chosen for telling the decisive turn from others. */
const OF_A_TURN = 200;
/** Chosen for telling unsafe runs from safe ones. */
const OF_A_RUN = 100;

/** In fewer runs an n-gram is a coincidence. */
const FEWEST_RUNS = 5;

/** N-grams as columns: is it in this turn, and has it been in any turn so far? */
export class NgramColumns {
  readonly #rows: PrefixRows;
  readonly #ngrams: TurnNgrams;

  constructor(rows: PrefixRows, ngrams: TurnNgrams) {
    this.#rows = rows;
    this.#ngrams = ngrams;
  }

  /** Those that tell labels best on the given runs, by chi-squared; their values for every row. */
  chosenOn(trainingRuns: readonly number[]): readonly ProbeColumn[] {
    const { inTurns, inRuns } = this.#counted(trainingRuns);
    const ofTurn = inTurns.best(OF_A_TURN).map((bucket) => this.#column(bucket, 'in this turn', inEachTurn));
    const ofRun = inRuns.best(OF_A_RUN).map((bucket) => this.#column(bucket, 'so far', sinceFirst));
    this.#fill(new Map(ofTurn), new Map(ofRun));
    return [...ofTurn, ...ofRun].map(([, column]) => column);
  }

  #counted(trainingRuns: readonly number[]) {
    const inTurns = new Associations();
    const inRuns = new Associations();
    for (const index of trainingRuns) {
      const run = this.#rows.runs[index];
      if (!run) continue;
      const inRun = new Set<number>();
      for (const [step, buckets] of run.ngrams.entries()) {
        inTurns.add(buckets, run.error?.step === step);
        for (const bucket of buckets) inRun.add(bucket);
      }
      inRuns.add(inRun, run.error !== undefined);
    }
    return { inTurns, inRuns };
  }

  #column(bucket: number, where: string, flags: Flags): [bucket: number, column: ProbeColumn] {
    const name = `${JSON.stringify(this.#ngrams.textOf(bucket))} ${where}`;
    const bins = new Uint8Array(this.#rows.count);
    return [bucket, { name, edges: [0], bins, binsOfRun: ({ ngrams }) => flags(ngrams, bucket) }];
  }

  #fill(ofTurn: ReadonlyMap<number, ProbeColumn>, ofRun: ReadonlyMap<number, ProbeColumn>): void {
    for (const [index, { ngrams }] of this.#rows.runs.entries()) {
      const seen = new Set<ProbeColumn>();
      for (const [step, buckets] of ngrams.entries()) {
        const row = this.#rows.start(index) + step;
        for (const bucket of buckets) {
          const now = ofTurn.get(bucket);
          if (now) now.bins[row] = 1;
          const since = ofRun.get(bucket);
          if (since) seen.add(since);
        }
        for (const column of seen) column.bins[row] = 1;
      }
    }
  }
}

/** One of each prefix: 1 where the n-gram is there. */
type Flags = (ngrams: ReadRun['ngrams'], bucket: number) => Uint8Array;

const inEachTurn: Flags = (ngrams, bucket) =>
  Uint8Array.from(ngrams, (buckets) => Number(buckets.includes(bucket)));

const sinceFirst: Flags = (ngrams, bucket) => {
  const first = ngrams.findIndex((buckets) => buckets.includes(bucket));
  return Uint8Array.from(ngrams, (_, step) => Number(first >= 0 && step >= first));
};

/** How often each bucket goes with a label, and how often without. */
class Associations {
  readonly #with = new Map<number, number>();
  readonly #all = new Map<number, number>();
  #positives = 0;
  #total = 0;

  add(buckets: Iterable<number>, isPositive: boolean): void {
    this.#total++;
    if (isPositive) this.#positives++;
    for (const bucket of buckets) {
      this.#all.set(bucket, (this.#all.get(bucket) ?? 0) + 1);
      if (isPositive) this.#with.set(bucket, (this.#with.get(bucket) ?? 0) + 1);
    }
  }

  best(count: number): readonly number[] {
    return [...this.#all]
      .filter(([, all]) => all >= FEWEST_RUNS && all < this.#total)
      .map(([bucket, all]) => ({ bucket, worth: this.#chiSquared(this.#with.get(bucket) ?? 0, all) }))
      .sort((one, other) => other.worth - one.worth || one.bucket - other.bucket)
      .slice(0, count)
      .map(({ bucket }) => bucket);
  }

  #chiSquared(hits: number, all: number): number {
    const expected = (all * this.#positives) / this.#total;
    const spread = expected * (1 - this.#positives / this.#total) * (1 - all / this.#total);
    return spread === 0 ? 0 : (hits - expected) ** 2 / spread;
  }
}
