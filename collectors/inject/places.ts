import { createHash } from 'node:crypto';
import type { Sample, SampleTurn } from '../sample.js';
import type { FaultCategory } from './taxonomy.js';

/** Where a fault may be written, and which. */
export interface Place {
  readonly step: number;
  readonly category: FaultCategory;
}

/**
 * Every turn of an agent from step 1 to the last but one, with every category that fits it, in an order that depends on the seed
 * and the run alone: the first are taken. Steps come first, so that a turn that many categories fit is no likelier.
 */
export function placesIn(
  sample: Sample,
  categories: readonly FaultCategory[],
  seed: number,
): readonly Place[] {
  const { turns, id } = sample;
  const rank = (...parts: readonly (string | number)[]) => hash([seed, id, ...parts].join('\n'));
  return turns
    .flatMap((turn, step) => (isCandidate(turn, step, turns.length) ? [step] : []))
    .toSorted((one, other) => compare(rank('step', one), rank('step', other)))
    .flatMap((step) => {
      const before = turns.slice(0, step);
      const fitting = categories.filter((category) => category.fits(turns[step] as SampleTurn, before));
      const [category] = fitting.toSorted((one, other) =>
        compare(rank(step, one.name), rank(step, other.name)),
      );
      return category ? [{ step, category }] : [];
    });
}

/** A neutral name: one that tells a run from its faulty variants would be the label. */
export function variantId(sampleId: string, { step, category }: Place, method: string): string {
  return `run-${hash([sampleId, step, category.name, method].join('\n')).slice(0, 16)}`;
}

/** The last turn has nothing after it that could notice, or suffer. */
function isCandidate({ kind }: SampleTurn, step: number, length: number): boolean {
  return kind === 'agent' && step >= 1 && step <= length - 2;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
