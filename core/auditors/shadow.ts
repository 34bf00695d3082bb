import { setImmediate } from 'node:timers/promises';
import { z } from 'zod';
import { type Auditor, auditorName } from '../auditor.js';
import { scheduleOf } from '../portable-schedule.js';
import { sampled } from '../sampling.js';
import { askForOpinion } from './ask-for-opinion.js';
import { deadlineSchema, readOptions, requireAuditor } from './read-options.js';
import { wants } from './wants.js';

const optionsSchema = z.strictObject({
  /** Longest wait for the candidate, in milliseconds. Default 30,000. */
  deadlineMs: deadlineSchema.default(30_000),
  /** Share of runs in which the candidate is asked, chosen by run id. Default 1. */
  sampleRate: z.number().min(0).max(1).default(1),
});

export type ShadowOptions = Readonly<z.input<typeof optionsSchema>>;

/**
 * Lets a candidate judge what the auditor judges, without consequences: the primary's verdict counts and does not wait; what
 * the candidate says, or how it fails, is recorded as an opinion `shadow: true`. The candidate is asked at those of the
 * primary's turns that its own schedule wants, and wherever the call is the run's last.
 *
 * **What it costs.** The candidate's calls are recorded with their tokens and cost, and not counted against the run's
 * budget: one that is dear would spend it and so leave the run unaudited, or halted. `sampleRate` is what bounds them.
 * What it has not said when the run ends is waited for, at most the runtime's `deadlineMs`, and then lost.
 *
 * @throws SetupError
 */
export function shadow(primary: Auditor, candidate: Auditor, options: ShadowOptions = {}): Auditor {
  requireAuditor('shadow', 'the primary', primary);
  requireAuditor('shadow', 'the candidate', candidate);
  const { deadlineMs, sampleRate } = readOptions('shadow', optionsSchema, options);

  return {
    get name() {
      return auditorName(primary);
    },
    schedule: { due: (prefix) => scheduleOf(primary).due(prefix) },
    asksInPart: (prefix) => primary.asksInPart?.(prefix) ?? false,
    audit(request, asking) {
      const { note, isLast } = asking;
      const opinion = async () => {
        // The primary goes first; one that needs no waiting has then answered.
        await setImmediate();
        return askForOpinion(candidate, request, { note, isLast, deadlineMs, shadow: true });
      };
      if (note && sampled(request.runId, sampleRate) && (isLast || wants(candidate, request.prefix)))
        note(opinion());
      return primary.audit(request, asking);
    },
  };
}
