import type { Sample } from '../sample.js';
import { callIds } from './call-ids.js';
import { canonicalCalls } from './canonical-calls.js';
import { closingCodeTags } from './closing-code-tags.js';
import { hyphenNames } from './hyphen-names.js';
import { invisibleCharacters } from './invisible-characters.js';
import { neutralIds } from './neutral-ids.js';
import { runSpecificPaths } from './run-specific-paths.js';
import type { ScrubRule } from './scrub-rule.js';
import { trailingSpace } from './trailing-space.js';
import { typography } from './typography.js';
import { wholeFirstTurns } from './whole-first-turns.js';

/** In their order: calls are parsed before their texts are changed, and what a rule leaves at a line's end is trimmed after it. */
export const scrubRules: readonly ScrubRule[] = [
  neutralIds,
  canonicalCalls,
  callIds,
  invisibleCharacters,
  typography,
  runSpecificPaths,
  closingCodeTags,
  hyphenNames,
  trailingSpace,
  wholeFirstTurns,
];

export interface Scrubbed {
  readonly sample: Sample;
  /** Names of the rules that found something. */
  readonly touchedBy: readonly string[];
}

/** What a rule leaves may be another one's matter, as where a tag's removal joins the halves of a path. */
const MOST_PASSES = 8;

/** Applies all rules until none finds anything. */
export function scrubbed(sample: Sample): Scrubbed {
  const touchedBy = new Set<string>();
  let current = sample;
  for (let pass = 0; pass < MOST_PASSES; pass++) {
    const before = current;
    for (const rule of scrubRules) {
      const next = rule.scrub(current);
      if (next !== current) touchedBy.add(rule.name);
      current = next;
    }
    if (current === before) break;
  }
  return { sample: current, touchedBy: [...touchedBy] };
}
