import { appendOnlyLayout, type ChatMessage, type PromptLayout, SetupError } from '../../core/index.js';
import type { RunLabel } from '../recorded-run.js';
import type { Sample } from '../sample.js';
import { auditPrompt } from './audit-prompt.js';
import { runPrefixes } from './run-prefixes.js';

/** The right verdict on a prefix: nothing decisive yet, or the decisive error's step and agent. */
export type ExpectedVerdict = 'SAFE' | { readonly step: number; readonly agent: string };

/** One prefix of a run as a question to an auditor model, and what it should say. */
export interface PrefixRecord {
  readonly sample: Sample;
  /** k: the prefix is turns 0 to k. */
  readonly step: number;
  readonly prompt: readonly ChatMessage[];
  readonly expected: ExpectedVerdict;
}

export interface PrefixOptions {
  /** Default: the append-only layout. */
  readonly layout?: PromptLayout | undefined;
  /**
   * Which prefixes of a run:
   * - `all` (default),
   * - `boundary`: the one before the decisive error, if there is one, and the one that ends with it; none of a safe run,
   * - `{ every: n }`: each nth turn's, and the boundary's and the whole run besides.
   */
  readonly which?: 'all' | 'boundary' | { readonly every: number } | undefined;
}

/**
 * The prefixes of labelled samples, one at a time. Of an unsafe run those before the decisive error are safe; it and all
 * later ones are to be answered with an alarm at that error. Samples without a label have none.
 * @throws SetupError when `every` is no whole number above 0
 */
export function prefixRecords(
  samples: AsyncIterable<Sample>,
  { layout = appendOnlyLayout(), which = 'all' }: PrefixOptions = {},
): AsyncGenerator<PrefixRecord> {
  if (typeof which === 'object' && !(Number.isSafeInteger(which.every) && which.every > 0))
    throw new SetupError('prefixes', `every is ${which.every}`, 'Give a whole number above 0');
  return recordsOf(samples, layout, which);
}

async function* recordsOf(
  samples: AsyncIterable<Sample>,
  layout: PromptLayout,
  which: NonNullable<PrefixOptions['which']>,
): AsyncGenerator<PrefixRecord> {
  for await (const sample of samples) {
    const { label, turns } = sample;
    if (label === undefined) continue;
    let step = 0;
    for (const prefix of runPrefixes(sample)) {
      if (isWanted(step, label, turns.length - 1, which))
        yield {
          sample,
          step,
          prompt: auditPrompt(sample, prefix, layout),
          expected: expectedVerdict(label, step),
        };
      step++;
    }
  }
}

export function expectedVerdict(label: RunLabel, step: number): ExpectedVerdict {
  if (label.kind === 'safe' || step < label.step) return 'SAFE';
  return { step: label.step, agent: label.agent };
}

function isWanted(
  step: number,
  label: RunLabel,
  last: number,
  which: NonNullable<PrefixOptions['which']>,
): boolean {
  if (which === 'all') return true;
  const isBoundary = label.kind === 'unsafe' && (step === label.step - 1 || step === label.step);
  return isBoundary || (which !== 'boundary' && (step === last || (step + 1) % which.every === 0));
}
