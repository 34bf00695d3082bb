import type { AuditFailure } from './audit-failure.js';
import type { Turn } from './turn.js';
import type { Alarm, Verdict } from './verdict.js';

/** A verdict as the run's history keeps it. `step` is the judged turn's index in its own prefix; branches may renumber it. */
export interface JudgedTurn {
  readonly step: number;
  readonly turnId: string;
  readonly verdict: Verdict;
}

/** An audit that gave no verdict on a turn; `step` as in {@link JudgedTurn}. */
export interface FailedAudit {
  readonly step: number;
  readonly turnId: string;
  readonly failure: AuditFailure;
}

/** What every halt carries, whichever framework's error class it has to wear. */
export interface HaltDetails {
  /** Why the run was halted: the auditor's alarm, or else `failure`. */
  readonly alarm: Alarm | undefined;
  /** The audit that failed, under `onAuditFailure: 'halt'` or a budget's `whenSpent: 'halt'`. */
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  /** All turns up to the halt, in final order of that moment. `alarm.step` indexes into them. */
  readonly turns: readonly Turn[];
  /** Every verdict given, in the order given; the alarm is the last. */
  readonly verdicts: readonly JudgedTurn[];
}

const haltBrand = Symbol.for('agentforesight.AuditHalt');

/**
 * The only thing that agentforesight throws into a running host. A plugin whose framework insists on an error class of
 * its own throws that, marked by {@link brandAuditHalt}; `error instanceof AuditHalt` holds for all of them.
 */
export class AuditHalt extends Error implements HaltDetails {
  readonly alarm: Alarm | undefined;
  readonly failure: FailedAudit | undefined;
  readonly runId: string;
  readonly turns: readonly Turn[];
  readonly verdicts: readonly JudgedTurn[];

  constructor(details: HaltDetails) {
    super(haltMessage(details));
    this.name = 'AuditHalt';
    this.alarm = details.alarm;
    this.failure = details.failure;
    this.runId = details.runId;
    this.turns = details.turns;
    this.verdicts = details.verdicts;
    brandAuditHalt(this);
  }

  static override [Symbol.hasInstance](value: unknown): value is AuditHalt {
    return typeof value === 'object' && value !== null && haltBrand in value;
  }
}

/** Marks a framework's own error class as a halt. The class must carry {@link HaltDetails}. */
export function brandAuditHalt(error: Error & HaltDetails): void {
  Object.defineProperty(error, haltBrand, { value: true });
}

/** One line for people: `audit alarm at step 3 (solver): …`. */
export function haltMessage({ alarm, failure }: HaltDetails): string {
  if (alarm) return `audit alarm at step ${alarm.step} (${alarm.agent}): ${alarm.reason}`;
  const { step, failure: what } = failure ?? {};
  const policy = what?.kind === 'budget' ? 'whenSpent' : 'onAuditFailure';
  return `the audit of step ${step} failed (${what?.kind}): ${what?.message}; ${policy} is "halt"`;
}

/** A fault in how the program was put together. Thrown at once, never during a run. */
export class SetupError extends Error {
  /** @param where the part at fault, such as `"langgraph"` @param remedy what to do, as one sentence */
  constructor(where: string, what: string, remedy: string, options?: ErrorOptions) {
    super(`[agentforesight] [${where}] ${what}. ${remedy}.`, options);
    this.name = 'SetupError';
  }
}

/** Where in a file the bad input stands. `line` is 1-based. */
export interface InputLocation {
  readonly file: string;
  readonly line?: number | undefined;
  readonly field?: string | undefined;
}

/** Bad input: one line saying what, where, and what to do. The file is left as it was. */
export class InputError extends Error {
  readonly location: InputLocation;

  constructor(location: InputLocation, what: string, remedy: string, options?: ErrorOptions) {
    const { file, line, field } = location;
    const place = `${file}${line === undefined ? '' : `:${line}`}${field === undefined ? '' : ` (${field})`}`;
    super(`${place}: ${what}. ${remedy}.`, options);
    this.name = 'InputError';
    this.location = location;
  }
}
