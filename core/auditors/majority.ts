import { z } from 'zod';
import { AuditError, type AuditFailureKind } from '../audit-failure.js';
import type { Opinion } from '../audit-note.js';
import { type Auditor, auditorName } from '../auditor.js';
import { scheduleOf } from '../portable-schedule.js';
import type { Alarm, Verdict } from '../verdict.js';
import { askForOpinion } from './ask-for-opinion.js';
import { deadlineSchema, readOptions, requireAuditors } from './read-options.js';

const optionsSchema = z.strictObject({
  /** Longest wait for one of them, in milliseconds; it then counts as failed. Default: the runtime's, for all together. */
  deadlineMs: deadlineSchema.optional(),
});

export type MajorityOptions = Readonly<z.input<typeof optionsSchema>>;

/**
 * Asks all side by side. It takes more than half of all of them, failed ones included, to alarm or to continue; else there
 * is no verdict. An alarm names the step that most of the alarms name, the earliest of several, and of those that name it
 * the agent and reason of the first with the agent most named. The score is the mean of those given; a verdict without one
 * counts as 1 or 0.
 *
 * It wants to be asked where more than half of them do, and then asks all: a vote of few is none.
 *
 * @throws SetupError
 */
export function majority(auditors: readonly Auditor[], options: MajorityOptions = {}): Auditor {
  requireAuditors('majority', auditors);
  const { deadlineMs } = readOptions('majority', optionsSchema, options);
  const isMost = (count: number) => count > auditors.length / 2;

  return {
    get name() {
      return `majority(${auditors.map(auditorName).join(', ')})`;
    },
    schedule: {
      due: (prefix) => isMost(auditors.filter((auditor) => scheduleOf(auditor).due(prefix)).length),
    },
    asksInPart: (prefix) => auditors.some((auditor) => auditor.asksInPart?.(prefix)),
    async audit(request, asking) {
      const opinions = await Promise.all(
        auditors.map(async (auditor) => {
          const opinion = await askForOpinion(auditor, request, { ...asking, deadlineMs });
          asking.note?.(opinion);
          return opinion;
        }),
      );
      const verdicts = opinions.flatMap(({ verdict }) => verdict ?? []);
      const alarms = verdicts.filter((verdict) => verdict.kind === 'alarm');
      const score = meanScore(verdicts);
      if (isMost(alarms.length)) return { ...mostNamed(alarms), score };
      if (isMost(verdicts.length - alarms.length)) return { kind: 'continue', score };
      throw undecided(opinions, alarms.length);
    },
  };
}

/** A sure vote beside scored ones must weigh: averaging the scores alone would let one Continue outvote two alarms. */
function meanScore(verdicts: readonly Verdict[]): number {
  const scores = verdicts.map(({ kind, score }) => score ?? (kind === 'alarm' ? 1 : 0));
  return scores.reduce((sum, score) => sum + score, 0) / scores.length;
}

function mostNamed(alarms: readonly Alarm[]): Alarm {
  const byStep = alarms.toSorted((one, other) => one.step - other.step);
  const step = mostFrequent(byStep.map((alarm) => alarm.step));
  const there = alarms.filter((alarm) => alarm.step === step);
  const agent = mostFrequent(there.map((alarm) => alarm.agent));
  return there.find((alarm) => alarm.agent === agent) as Alarm;
}

/** The first of those that occur most often. */
function mostFrequent<Value>(values: readonly Value[]): Value {
  const counts = new Map<Value, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(...counts.values());
  return [...counts.keys()].find((value) => counts.get(value) === most) as Value;
}

/** Of the failures' own kind where they are to blame; `invalid` where the votes are even. */
function undecided(opinions: readonly Opinion[], alarms: number): AuditError {
  const failures = opinions.flatMap(({ auditor, failure }) => (failure ? [{ auditor, ...failure }] : []));
  const continues = opinions.length - failures.length - alarms;
  const kind: AuditFailureKind =
    failures.length === 0 ? 'invalid' : mostFrequent(failures.map((failure) => failure.kind));
  const tally = `no majority: ${alarms} alarm, ${continues} continue, ${failures.length} failed`;
  return new AuditError(
    kind,
    [tally, ...failures.map(({ auditor, message }) => `${auditor}: ${message}`)].join('; '),
  );
}
