import type { Truth } from './bench-run.js';

/**
 * At which prefixes an auditor is asked.
 * - `strict`, the paper's text (arXiv 2605.08715): every prefix of every run, safe ones to their end. The only one whose
 *   false-alarm rate is the chance that a healthy run gets halted.
 * - `official`, its released code: every prefix of an unsafe run, but of a safe run the whole alone. Which it is, the
 *   protocol takes from the label: it tells an auditor something that no auditor online is told.
 * - `post-hoc`: the whole run alone, safe or not. For methods that must see how a run ended.
 */
export type Protocol = 'strict' | 'official' | 'post-hoc';

export const PROTOCOLS: readonly Protocol[] = ['strict', 'official', 'post-hoc'];

/** @param step 0-based: of the prefix's newest turn */
export function isAsked(protocol: Protocol, { label, turns }: Pick<Truth, 'label' | 'turns'>, step: number) {
  if (protocol === 'strict') return true;
  return step === turns - 1 || (protocol === 'official' && label.kind === 'unsafe');
}
