import { agentDebug } from './agent-debug.js';
import type { Baseline } from './baseline.js';
import { perplexity } from './perplexity.js';
import { reflexion } from './reflexion.js';
import { treeOfThoughts } from './tree-of-thoughts.js';
import { zeroShot } from './zero-shot.js';

export type { Baseline } from './baseline.js';
export { type OpenBaseline, readBaseline } from './read-baseline.js';

/** In the order of the paper's table. */
export const baselines: readonly Baseline[] = [zeroShot, perplexity, treeOfThoughts, reflexion, agentDebug];
