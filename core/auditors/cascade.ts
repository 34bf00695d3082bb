import { z } from 'zod';
import { AuditError } from '../audit-failure.js';
import type { Opinion } from '../audit-note.js';
import { type Auditor, auditorName } from '../auditor.js';
import { messageOf } from '../diagnostics.js';
import { scheduleOf } from '../portable-schedule.js';
import type { Prefix } from '../prefix.js';
import type { Verdict } from '../verdict.js';
import { askForOpinion } from './ask-for-opinion.js';
import { deadlineSchema, readOptions, requireAuditors } from './read-options.js';
import { wants } from './wants.js';

const optionsSchema = z.strictObject({
  /** A Continue whose score is at or below it settles the question. Default: only the last stage's Continue does. */
  continueBelow: z.number().min(0).max(1).optional(),
  /** Longest wait for one stage, in milliseconds; then the next is asked. Default: the runtime's, for all together. */
  deadlineMs: deadlineSchema.optional(),
});

export type CascadeOptions = Readonly<z.input<typeof optionsSchema>>;

/**
 * Asks the cheapest auditor first and the next one only while the question is open. An Alarm settles it; a stage that
 * fails passes it on. Where the last one asked fails, so does the audit: that an earlier stage saw nothing is no Continue.
 *
 * A stage is asked at the turns of its own schedule: of `cascade([signalsAuditor(), chatAuditor(…)])`, the model is asked
 * where the portable schedule says so, and the signals at every turn. All are asked where no stage wants to be (a
 * schedule of the runtime's asks there), and in the run's last call.
 *
 * @param stages in order of price, two at least
 * @throws SetupError
 */
export function cascade(stages: readonly Auditor[], options: CascadeOptions = {}): Auditor {
  requireAuditors('cascade', stages);
  const { continueBelow, deadlineMs } = readOptions('cascade', optionsSchema, options);

  return {
    get name() {
      return `cascade(${stages.map(auditorName).join(', ')})`;
    },
    schedule: { due: (prefix) => stages.some((stage) => scheduleOf(stage).due(prefix)) },
    asksInPart(prefix) {
      const asked = askedAt(stages, prefix);
      return asked.length < stages.length || asked.some((stage) => stage.asksInPart?.(prefix));
    },
    async audit(request, asking) {
      const { signal, note, isLast } = asking;
      let opinion: Opinion | undefined;
      for (const stage of isLast ? stages : askedAt(stages, request.prefix)) {
        if (signal.aborted) throw new AuditError('deadline', messageOf(signal.reason));
        opinion = await askForOpinion(stage, request, { ...asking, deadlineMs });
        note?.(opinion);
        if (opinion.verdict && settles(opinion.verdict, continueBelow)) return opinion.verdict;
      }
      return lastWord(opinion as Opinion);
    },
  };
}

function askedAt(stages: readonly Auditor[], prefix: Prefix): readonly Auditor[] {
  const due = stages.filter((stage) => wants(stage, prefix));
  return due.length > 0 ? due : stages;
}

function settles(verdict: Verdict, continueBelow: number | undefined): boolean {
  if (verdict.kind === 'alarm') return true;
  return continueBelow !== undefined && verdict.score !== undefined && verdict.score <= continueBelow;
}

/** @throws AuditError */
function lastWord({ auditor, verdict, failure }: Opinion): Verdict {
  if (verdict) return verdict;
  throw new AuditError(failure?.kind ?? 'threw', `${auditor}: ${failure?.message}`);
}
