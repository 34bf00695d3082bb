import { type JsonValue, SetupError } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { FixedTexts } from '../scrub/fixed-texts.js';
import { scrubbed, scrubRules } from '../scrub/scrub-rules.js';
import type { Stage, StageDecision } from '../stage.js';

export interface ScrubOptions {
  /**
   * What becomes of a run in which an agent says what agents say in many other runs, word for word. No rewriting makes
   * such a text unseen: `drop` leaves the run out, `flag` says so in its decision. In production a template may be an
   * honest one, so the default is `flag`.
   */
  readonly fixedTexts?: 'flag' | 'drop' | undefined;
  /** Of how many different tasks' runs a text must be to be a fixed one. Default: 8. */
  readonly fixedTextTasks?: number | undefined;
}

/**
 * Takes known leaks out of samples, whatever their labels. The manifest counts what each rule touched, by domain and label.
 * @throws SetupError on an option out of range
 */
export function scrubStage({ fixedTexts = 'flag', fixedTextTasks = 8 }: ScrubOptions = {}): Stage {
  if (!Number.isSafeInteger(fixedTextTasks) || fixedTextTasks < 2)
    throw new SetupError('scrub', `fixedTextTasks is ${fixedTextTasks}`, 'Give a whole number of at least 2');
  let texts: FixedTexts | undefined;
  return {
    name: 'scrub',
    options: { rules: scrubRules.map(({ name }) => name), fixedTexts, fixedTextTasks },
    async prepare(samples, signal) {
      const found = new FixedTexts(fixedTextTasks);
      const touched = new Counts();
      for await (const sample of samples) {
        signal.throwIfAborted();
        const { sample: clean, touchedBy } = scrubbed(sample);
        found.add(clean);
        touched.add('samples', sample);
        for (const rule of touchedBy) touched.add(rule, sample);
      }
      texts = found;
      return { touched: touched.toJson(), fixedTexts: found.count };
    },
    async process(sample) {
      if (!texts) throw new Error('the scrub stage has not seen the corpus yet');
      const { sample: clean, touchedBy } = scrubbed(sample);
      const decisions: StageDecision[] = touchedBy.map((rule) => ({
        id: sample.id,
        rule,
        verdict: 'keep',
        reason: 'scrubbed',
      }));
      const fixed = texts.in(clean);
      if (fixed.length === 0) return { samples: [clean], decisions };
      decisions.push({
        id: sample.id,
        rule: 'fixed-text',
        verdict: fixedTexts === 'drop' ? 'drop' : 'keep',
        reason: `says word for word what agents say of other tasks, at step ${fixed.map(({ step }) => step).join(', ')}`,
        evidence: fixed.map(({ step, text }) => ({ step, text: text.slice(0, 200) })),
      });
      return { samples: fixedTexts === 'drop' ? [] : [clean], decisions };
    },
  };
}

/** By what is counted, then by domain and kind of label. */
class Counts {
  readonly #counts = new Map<string, Map<string, number>>();

  add(what: string, { domain = 'no domain', label }: Sample): void {
    const kind = label?.kind === 'unsafe' ? (label.source ?? 'unsafe') : (label?.kind ?? 'unlabelled');
    const byClass = this.#counts.get(what) ?? new Map<string, number>();
    this.#counts.set(what, byClass);
    const name = `${domain} ${kind}`;
    byClass.set(name, (byClass.get(name) ?? 0) + 1);
  }

  toJson(): JsonValue {
    return Object.fromEntries([...this.#counts].map(([what, counts]) => [what, Object.fromEntries(counts)]));
  }
}
