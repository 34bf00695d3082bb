import type { ChatMessage } from '../../core/index.js';

/** Two replies of the base policy to one prompt, of which training is to make the one likelier than the other. */
export interface BoundaryPair {
  /** `before`: the prefix up to the turn before the decisive error, to be answered with SAFE. `at`: up to that error. */
  readonly kind: 'before' | 'at';
  /** k: the prefix is turns 0 to k. */
  readonly step: number;
  readonly prompt: readonly ChatMessage[];
  /** Gives the right verdict: SAFE, or an alarm with the error's step and agent. */
  readonly chosen: string;
  /** Gives another one, or none that can be read. */
  readonly rejected: string;
}
