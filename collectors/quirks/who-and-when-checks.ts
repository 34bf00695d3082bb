import type { WhoAndWhenHalf, WhoAndWhenRun } from '../importers/who-and-when-run.js';
import { speakerOf } from '../importers/who-and-when-run.js';
import type { Check } from './check.js';

/** A file as published, before the mapping; `raw` still has a step's own type. */
export interface PublishedRun {
  readonly half: WhoAndWhenHalf;
  readonly raw: object;
  readonly run: WhoAndWhenRun;
}

/**
 * The fields of the algorithm-generated half. Its other half writes `is_corrected` for `is_correct`, has a `level` in 30
 * files of 58, and no `system_prompt`.
 */
const COMMON_FIELDS = [
  'question',
  'question_ID',
  'ground_truth',
  'history',
  'mistake_agent',
  'mistake_step',
  'mistake_reason',
];
const USUAL_FIELDS: Readonly<Record<WhoAndWhenHalf, ReadonlySet<string>>> = {
  'algorithm-generated': new Set([...COMMON_FIELDS, 'is_correct', 'level', 'system_prompt']),
  'hand-crafted': new Set(COMMON_FIELDS),
};

const unusualField: Check<PublishedRun> = {
  code: 'unusual-field',
  *find({ half, raw }) {
    for (const field of Object.keys(raw)) {
      if (!USUAL_FIELDS[half].has(field)) yield { detail: field };
    }
  },
};

const stringMistakeStep: Check<PublishedRun> = {
  code: 'string-mistake-step',
  *find({ raw }) {
    if ('mistake_step' in raw && typeof raw.mistake_step === 'string') {
      yield { detail: `mistake_step is the text ${JSON.stringify(raw.mistake_step)}` };
    }
  },
};

/** A run said to have succeeded that is labelled as failed all the same. */
const labelOnCorrectRun: Check<PublishedRun> = {
  code: 'label-on-correct-run',
  *find({ run }) {
    if (run.is_correct && run.mistake_step != null)
      yield { step: run.mistake_step, detail: 'is_correct is true' };
  },
};

const thinkTag: Check<PublishedRun> = {
  code: 'think-tag',
  *find({ run }) {
    for (const [step, turn] of run.history.entries()) {
      if (/<\/?think>/.test(turn.content)) yield { step, detail: `"${speakerOf(turn)}" thinks in tags` };
    }
  },
};

/** Checks of what the mapping to turns would hide. */
export const whoAndWhenChecks: readonly Check<PublishedRun>[] = [
  unusualField,
  stringMistakeStep,
  labelOnCorrectRun,
  thinkTag,
];
