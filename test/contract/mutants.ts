import { blockingMutants } from './mutants/blocking.js';
import { detachingMutants } from './mutants/detaching.js';
import { failureMutants } from './mutants/failure.js';
import { fidelityMutants } from './mutants/fidelity.js';
import { haltingMutants } from './mutants/halting.js';
import { isolationMutants } from './mutants/isolation.js';
import type { Mutant } from './mutants/mutation.js';
import { orderingMutants } from './mutants/ordering.js';
import { resumingMutants } from './mutants/resuming.js';
import { transparencyMutants } from './mutants/transparency.js';

/** Deliberately broken plugins, by the clause that each must fail. */
export const mutants: Readonly<Record<string, readonly Mutant[]>> = {
  ordering: orderingMutants,
  fidelity: fidelityMutants,
  blocking: blockingMutants,
  halting: haltingMutants,
  transparency: transparencyMutants,
  failure: failureMutants,
  isolation: isolationMutants,
  resuming: resumingMutants,
  detaching: detachingMutants,
};
