import { type Diagnostics, messageOf } from './diagnostics.js';
import type { FailedAudit, HaltDetails, JudgedTurn } from './errors.js';
import { type Decision, Gate, type GatePolicy } from './gate.js';
import { type OpenAudit, OpenAudits } from './open-audits.js';
import type { Prefix } from './prefix.js';
import { readOutcome } from './read-outcome.js';
import { type AuditRecord, type FeedbackRecord, RECORD_VERSION } from './record.js';
import type { RecordKeeper } from './record-keeper.js';
import type { Redactor } from './redact.js';
import { type Audit, RunAuditor, type RunAuditorParts } from './run-auditor.js';
import { RunFaults } from './run-faults.js';
import type { Outcome, RunInfo } from './run-info.js';
import { RunRedactor } from './run-redactor.js';
import type { Schedule } from './schedule.js';
import type { Turn, TurnInput } from './turn.js';
import { TurnIntake } from './turn-intake.js';
import type { Alarm } from './verdict.js';

/** What a session needs of its runtime. `keeper` is absent for a run that sampling leaves out of the log. */
export interface SessionParts extends GatePolicy, RunAuditorParts {
  readonly schedule: Schedule;
  readonly keeper: RecordKeeper | undefined;
  readonly redactor: Redactor;
  readonly diagnostics: Diagnostics;
  /** Whether the run may become training data. Absent where nobody was asked. */
  readonly consent: boolean | undefined;
}

/** A record of this run before it is stamped; distributes over the record types, so that each keeps its own fields. */
type Unstamped<R = Exclude<AuditRecord, FeedbackRecord>> = R extends { runId: string }
  ? Omit<R, 'v' | 'at' | 'runId'>
  : never;

/** One run under audit. Every method keeps the promise of the seam: it resolves, whatever happens inside. */
export class AuditSession {
  readonly runId: string;
  readonly #parts: SessionParts;
  readonly #faults: RunFaults;
  readonly #auditor: RunAuditor;
  /** As the run's record names it; hot swapping may put another in its place. */
  readonly #auditorName: string;
  readonly #redactor: RunRedactor;
  readonly #intake: TurnIntake;
  readonly #gate: Gate;
  readonly #verdicts: JudgedTurn[] = [];
  readonly #openAudits = new OpenAudits();
  readonly #judgedIds = new Set<string>();
  readonly #unjudgedIds = new Set<string>();
  #halt: HaltDetails | undefined;
  #closing: Promise<void> | undefined;

  /** @internal Plugins open sessions with `runtime.openSession`. */
  constructor(info: RunInfo, parts: SessionParts) {
    this.runId = info.runId;
    this.#parts = parts;
    this.#faults = new RunFaults(parts.diagnostics, info.runId);
    const { recoveries = 0, undone } = info.continues ?? {};
    const { can = [], overridden = [], revisable = [] } = info;
    this.#gate = new Gate(parts, { can, overridden, revisable, recoveries });
    this.#redactor = new RunRedactor(parts.redactor, (cause) => this.#faults.redactorFailed(cause));
    this.#intake = new TurnIntake(this.#redactor, (code, message) => this.#faults.report(code, message));
    const task = this.#redactor.text(info.task);
    const tools = (info.tools ?? []).map((tool) => this.#redactor.tool(tool));
    const { runId } = info;
    this.#auditor = new RunAuditor({ runId, task, tools }, parts, this.#faults, (prefix, note) => {
      const { id: turnId, index: step } = prefix.newest;
      void this.#record({ type: 'note', turnId, step, note: this.#redactor.note(note) });
    });
    this.#auditorName = this.#auditor.name;
    void this.#record({
      type: 'run',
      task,
      tools,
      framework: info.framework ?? 'manual',
      thread: info.thread,
      auditor: this.#auditorName,
      onAlarm: parts.onAlarm,
      onAuditFailure: parts.onAuditFailure,
      continues: info.continues?.runId,
      recoveries: recoveries === 0 ? undefined : recoveries,
      undone,
      consent: parts.consent,
    });
    for (const turn of info.continues?.turns ?? []) this.#intake.take({ ...turn, path: [], given: true });
    const first: TurnInput = { agent: 'user', kind: 'user', content: info.task };
    const given = info.given ?? (info.continues ? [] : [first]);
    for (const turn of given) void this.#take({ ...turn, path: [], given: true });
  }

  /**
   * Takes one turn and resolves when the host may go on, or must not: after the verdicts on this turn and on everything
   * that precedes it, and after the recorder has acknowledged them. Turns keep the order of the calls, awaited or not.
   * After a halt it goes on answering `halt`; later turns are recorded, not audited. After the close they are refused.
   */
  async submit(input: TurnInput): Promise<Decision> {
    try {
      if (this.#closing)
        this.#faults.report('turn-after-close', 'a turn came after the run was closed; it is not recorded');
      else {
        const settled = this.#take(input);
        if (settled) await settled;
      }
    } catch (cause) {
      this.#faults.report('session-fault', messageOf(cause), cause);
    }
    return this.#decision();
  }

  /** Ids of turns that were due for an audit and had none, since the run was stopped before their turn came. */
  get unjudgedIds(): readonly string[] {
    return [...this.#unjudgedIds];
  }

  /** The turn that the run's alarm blames, enforced or not. */
  get alarmTurnId(): string | undefined {
    return this.#gate.alarm?.turnId;
  }

  /** All turns so far, in final order. */
  turns(): readonly Turn[] {
    return this.#intake.trajectory.turns();
  }

  /**
   * Ends the run. A completed one is judged as a whole first, if its last turn was not; so this may be the call that
   * says halt. Closing again changes nothing.
   */
  async close(outcome: Outcome): Promise<Decision> {
    this.#closing ??= this.#close(outcome);
    try {
      await this.#closing;
    } catch (cause) {
      this.#faults.report('session-fault', messageOf(cause), cause);
    }
    return this.#decision();
  }

  /** @returns what the host must wait for, if anything */
  #take(input: TurnInput): Promise<unknown> | undefined {
    const { path, prefix, fault } = this.#intake.take(input);
    const earlier = this.#openAudits.before(path);
    let written: Promise<void> | undefined;
    let concluded: Promise<void> | undefined;
    if (prefix) {
      const due = prefix.newest.given !== true && this.#isDue(prefix);
      written = this.#record({ type: 'turn', turn: prefix.newest, due });
      if (fault !== undefined) concluded = this.#concludeUnreadable(fault, prefix);
      else if (due) concluded = this.#judge(prefix, earlier);
    }
    if (!written && earlier.length === 0) return concluded;
    return Promise.all([written, concluded, ...earlier.map((audit) => audit.settled)]);
  }

  #concludeUnreadable(fault: string, prefix: Prefix): Promise<void> | undefined {
    const message = `the plugin submitted something that is no turn: ${fault}`;
    const result = { failure: { kind: 'turn' as const, message } };
    return this.#conclude({ result, auditor: this.#auditorName, notes: [], durationMs: 0 }, prefix);
  }

  #isDue(prefix: Prefix): boolean {
    try {
      return Boolean(this.#parts.schedule.due(prefix));
    } catch (cause) {
      this.#faults.report('schedule-failed', messageOf(cause), cause);
      return true;
    }
  }

  /**
   * One verdict at a time along a line of work: the first alarm must be the earliest, and it ends the asking. Records
   * need not wait for each other, so turns that are submitted together share the disk's time.
   */
  #judge(prefix: Prefix, earlier: readonly OpenAudit[], isLast = false): Promise<void> {
    this.#judgedIds.add(prefix.newest.id);
    let recorded: Promise<void> | undefined;
    const judged = (async () => {
      if (earlier.length > 0) await Promise.all(earlier.map((audit) => audit.judged));
      if (this.#gate.alarm || this.#gate.shut) {
        this.#unjudgedIds.add(prefix.newest.id);
        return;
      }
      recorded = this.#conclude(await this.#auditor.ask(prefix, isLast), prefix);
    })();
    const concluded = this.#parts.keeper ? judged.then(() => recorded) : judged;
    const settled =
      earlier.length > 0 ? Promise.all([concluded, ...earlier.map((audit) => audit.settled)]) : concluded;
    return this.#openAudits.hold({ path: prefix.newest.path, judged, settled }, earlier);
  }

  #conclude(audit: Audit, prefix: Prefix): Promise<void> | undefined {
    const { result, durationMs } = audit;
    const { id: turnId, index: step } = prefix.newest;
    const blames = (alarmStep: number) => prefix.at(alarmStep) as Turn;
    const enforced = this.#gate.take(result, blames);
    const judged = {
      turnId,
      step,
      durationMs,
      enforced,
      auditor: audit.auditor === this.#auditorName ? undefined : audit.auditor,
      notes: audit.notes.length === 0 ? undefined : audit.notes.map((note) => this.#redactor.note(note)),
    };
    if ('failure' in result) {
      const failure = this.#redactor.failure(result.failure);
      if (enforced !== 'proceed') this.#halt ??= this.#haltDetails(undefined, { step, turnId, failure });
      this.#faults.auditFailed(failure);
      audit.trace?.end({ ...audit, result: { failure } }, enforced);
      return this.#record({ type: 'failure', ...judged, failure });
    }
    const { verdict } = result;
    this.#verdicts.push({ step, turnId, verdict });
    if (enforced !== 'proceed') this.#halt ??= this.#haltDetails(this.#gate.alarm, undefined);
    const alarmTurnId = verdict.kind === 'alarm' ? blames(verdict.step).id : undefined;
    const { said, threshold } = audit;
    audit.trace?.end(audit, enforced);
    return this.#record({ type: 'verdict', ...judged, verdict, said, threshold, alarmTurnId });
  }

  /** An alarm has been the last word. */
  #lacksLastCall(whole: Prefix): boolean {
    if (!this.#judgedIds.has(whole.newest.id)) return true;
    return !this.#gate.alarm && !this.#gate.shut && this.#auditor.asksInPart(whole);
  }

  async #close(given: Outcome): Promise<void> {
    const { outcome, fault } = readOutcome(given);
    if (fault) this.#faults.report('bad-outcome', fault.message, fault);
    this.#gate.close();
    await this.#openAudits.allSettled();
    const whole = this.#intake.trajectory.whole();
    const last = whole.at(-1);
    if (outcome.status === 'completed' && last && !last.given && this.#lacksLastCall(whole))
      await this.#judge(whole, [], true);
    await this.#auditor.close();
    const { status, error } = this.#enforcedOutcome(outcome);
    await this.#record({
      type: 'close',
      outcome: { status, error: error === undefined ? undefined : this.#redactor.text(error) },
    });
  }

  /** A stopped run is paused only if its host says that it waits; otherwise it has been halted, whatever was meant. */
  #enforcedOutcome(outcome: Outcome): Outcome {
    if (!this.#gate.shut || outcome.status === 'aborted') return outcome;
    const waits = this.#gate.shut === 'pause' && outcome.status === 'interrupted';
    return { status: waits ? 'paused' : 'halted' };
  }

  #decision(): Decision {
    return this.#halt && this.#gate.shut
      ? { action: this.#gate.shut, halt: this.#halt }
      : { action: 'proceed' };
  }

  #haltDetails(cause: Gate['alarm'], failure: FailedAudit | undefined): HaltDetails {
    const turns = this.#intake.trajectory.turns();
    return {
      runId: this.runId,
      alarm: cause && alarmIn(turns, cause),
      failure,
      turns,
      verdicts: [...this.#verdicts],
    };
  }

  /** Nothing for a run that is not recorded. Never rejects. */
  #record(record: Unstamped): Promise<void> | undefined {
    return this.#parts.keeper?.append({ v: RECORD_VERSION, runId: this.runId, at: Date.now(), ...record });
  }
}

/** An alarm's step counts in the prefix it was raised on; side-by-side branches may since have been renumbered. */
function alarmIn(turns: readonly Turn[], { alarm, turnId }: NonNullable<Gate['alarm']>): Alarm {
  return { ...alarm, step: turns.findIndex(({ id }) => id === turnId) };
}
