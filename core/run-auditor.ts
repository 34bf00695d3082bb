import { askAuditor, isPromiseLike } from './ask-auditor.js';
import type { AuditFailure } from './audit-failure.js';
import { type AuditNote, auditNoteSchema } from './audit-note.js';
import { type Auditor, type AuditRequest, type AuditResult, auditorName } from './auditor.js';
import { type Budget, Spending } from './budget.js';
import { type Calibration, calibrated, isFor, thresholdAt } from './calibration.js';
import { EXPIRED, within } from './deadline.js';
import { messageOf } from './diagnostics.js';
import type { OnAlarm } from './gate.js';
import type { Prefix } from './prefix.js';
import type { RunFaults } from './run-faults.js';
import { AuditTrace } from './telemetry.js';
import type { Verdict } from './verdict.js';

export interface RunAuditorParts {
  readonly auditor: Auditor;
  readonly deadlineMs: number;
  readonly onAlarm: OnAlarm;
  readonly budget?: Budget | undefined;
  readonly calibration?: Calibration | undefined;
}

/** One audit, over and done. */
export interface Audit {
  readonly result: AuditResult;
  /** The auditor's own verdict, where the calibration has decided otherwise. */
  readonly said?: Verdict | undefined;
  /** What the score had to exceed. */
  readonly threshold?: number | undefined;
  readonly auditor: string;
  readonly notes: readonly AuditNote[];
  readonly durationMs: number;
  /** To be ended when it is known what was done. Absent where nobody could have been asked. */
  readonly trace?: AuditTrace | undefined;
}

/** Called for a note that comes after its audit is over. */
export type LateNote = (prefix: Prefix, note: AuditNote) => void;

/** Asks the auditor about one run: within its budget, metered, and with the calibration's thresholds applied. */
export class RunAuditor {
  readonly #run: Omit<AuditRequest, 'prefix'>;
  readonly #parts: RunAuditorParts;
  readonly #faults: RunFaults;
  readonly #onLateNote: LateNote;
  readonly #spending: Spending;
  readonly #awaited = new Set<Promise<void>>();
  #isClosed = false;
  #knowsOtherAuditor = false;
  readonly #onTelemetryFault = (cause: unknown) =>
    this.#faults.report('telemetry-failed', messageOf(cause), cause);

  constructor(
    run: Omit<AuditRequest, 'prefix'>,
    parts: RunAuditorParts,
    faults: RunFaults,
    onLateNote: LateNote,
  ) {
    this.#run = run;
    this.#parts = parts;
    this.#faults = faults;
    this.#onLateNote = onLateNote;
    this.#spending = new Spending(parts.budget);
  }

  /** Who would be asked now. */
  get name(): string {
    try {
      return auditorName(this.#parts.auditor);
    } catch (cause) {
      this.#faults.report('auditor-nameless', messageOf(cause), cause);
      return auditorName({});
    }
  }

  /** Never rejects. @param isLast whether the run is over */
  async ask(prefix: Prefix, isLast: boolean): Promise<Audit> {
    const { auditor, deadlineMs, onAlarm } = this.#parts;
    const { name } = this;
    const { index: step, agent } = prefix.newest;
    const trace = new AuditTrace({
      runId: this.#run.runId,
      auditor: name,
      agent,
      step,
      isGuardrail: onAlarm !== 'observe',
      onFault: this.#onTelemetryFault,
    });
    const spent = this.#spending.exhausted;
    if (spent !== undefined) return failed({ kind: 'budget', message: spent }, name, trace);
    const started = performance.now();
    const notes: AuditNote[] = [];
    let isOver = false;
    const take = (raw: unknown) => {
      const note = this.#read(raw);
      if (!note) return;
      if (note.type === 'call') {
        const unmetered = note.shadow ? undefined : this.#spending.add(note);
        if (unmetered) this.#faults.callUnmetered(note, unmetered);
        trace.called(note);
      }
      if (!isOver) notes.push(note);
      else if (!this.#isClosed) this.#onLateNote(prefix, note);
    };
    const note = (given: unknown) => {
      try {
        if (isPromiseLike(given)) this.#await(Promise.resolve(given).then(take));
        else take(given);
      } catch (cause) {
        // A property that throws when it is read.
        this.#badNote(messageOf(cause));
      }
    };
    const result = await askAuditor(auditor, { ...this.#run, prefix }, deadlineMs, { note, isLast });
    isOver = true;
    const durationMs = performance.now() - started;
    return { ...this.#calibrated(result, prefix, name), auditor: name, notes, durationMs, trace };
  }

  /** Whether an audit of the prefix asks only some of several auditors. One that cannot say is asked once too often. */
  asksInPart(prefix: Prefix): boolean {
    try {
      return Boolean(this.#parts.auditor.asksInPart?.(prefix));
    } catch (cause) {
      this.#faults.report('schedule-failed', messageOf(cause), cause);
      return true;
    }
  }

  /** Resolves when all promised notes are there, or the deadline has passed. What comes later is dropped. */
  async close(): Promise<void> {
    const all = await within(this.#allNoted(), this.#parts.deadlineMs);
    this.#isClosed = true;
    if (all === EXPIRED) this.#faults.report('note-late', 'a note did not come before the run was closed');
  }

  /** Whoever is waited for may promise more meanwhile: a candidate that makes its model call only now. */
  async #allNoted(): Promise<void> {
    while (this.#awaited.size > 0) await Promise.all(this.#awaited);
  }

  #await(work: Promise<void>): void {
    const settled = work
      .catch((cause) => this.#faults.report('note-failed', messageOf(cause), cause))
      .finally(() => this.#awaited.delete(settled));
    this.#awaited.add(settled);
  }

  /** An auditor may tell what it likes; the log must stay readable. */
  #read(raw: unknown): AuditNote | undefined {
    const { success, data, error } = auditNoteSchema.safeParse(raw);
    if (success) return data;
    const [issue] = error.issues;
    this.#badNote(`${issue?.path.join('.') || 'note'}: ${issue?.message}`);
    return undefined;
  }

  #badNote(why: string): void {
    this.#faults.report('bad-note', `the auditor gave a note that is none: ${why}`);
  }

  #calibrated(
    result: AuditResult,
    prefix: Prefix,
    auditor: string,
  ): Pick<Audit, 'result' | 'said' | 'threshold'> {
    const { calibration } = this.#parts;
    if (!calibration || 'failure' in result) return { result };
    this.#requireSameAuditor(calibration, auditor);
    const { verdict: said } = result;
    if (said.score === undefined) {
      const message = 'the verdict has no score, and the calibration needs one';
      return { result: { failure: { kind: 'invalid', message } } };
    }
    const threshold = thresholdAt(calibration, prefix.newest.index);
    const verdict = calibrated(said, said.score, prefix, threshold);
    return { result: { verdict }, threshold, said: verdict.kind === said.kind ? undefined : said };
  }

  /** At set-up it was the same; an auditor may have been swapped for another since. Told once a run. */
  #requireSameAuditor(calibration: Calibration, auditor: string): void {
    if (this.#knowsOtherAuditor || isFor(calibration, auditor)) return;
    this.#knowsOtherAuditor = true;
    const message = `the calibration is for the scores of ${calibration.auditor}, and ${auditor} was asked; its thresholds hold all the same, without their promise`;
    this.#faults.report('calibration-other-auditor', message);
  }
}

function failed(failure: AuditFailure, auditor: string, trace: AuditTrace): Audit {
  return { result: { failure }, auditor, notes: [], durationMs: 0, trace };
}
