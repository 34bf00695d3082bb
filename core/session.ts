import { askAuditor } from './ask-auditor.js';
import type { AuditFailure, Auditor, AuditResult } from './auditor.js';
import { type Diagnostics, messageOf } from './diagnostics.js';
import type { FailedAudit, HaltDetails, JudgedTurn } from './errors.js';
import { type Decision, type Enforced, Gate, type GatePolicy } from './gate.js';
import type { Prefix } from './prefix.js';
import { readOutcome } from './read-outcome.js';
import { type AuditRecord, RECORD_VERSION } from './record.js';
import type { RecordKeeper } from './record-keeper.js';
import type { Redactor } from './redact.js';
import { RunFaults } from './run-faults.js';
import type { Outcome, RunInfo, ToolSpec } from './run-info.js';
import { RunRedactor } from './run-redactor.js';
import type { Schedule } from './schedule.js';
import type { Turn, TurnInput } from './turn.js';
import { TurnIntake } from './turn-intake.js';
import { precedes, samePlace, type TurnPath } from './turn-path.js';
import type { Alarm } from './verdict.js';

/** What a session needs of its runtime. `keeper` is absent for a run that sampling leaves out of the log. */
export interface SessionParts extends GatePolicy {
  readonly auditor: Auditor;
  readonly schedule: Schedule;
  readonly keeper: RecordKeeper | undefined;
  readonly redactor: Redactor;
  readonly deadlineMs: number;
  readonly diagnostics: Diagnostics;
}

/** The newest audit at its place that is not yet settled; it stands for the ones before it. */
interface OpenAudit {
  readonly path: TurnPath;
  /** Resolves when the verdict is there: the next audit along the line may begin. */
  readonly judged: Promise<void>;
  /** Resolves when it is recorded too, and all that came before: the host may go on. */
  readonly settled: Promise<unknown>;
}

const NONE: readonly OpenAudit[] = [];

/** A record of this run before it is stamped; distributes over the record types, so that each keeps its own fields. */
type Unstamped<R = AuditRecord> = R extends { runId: string } ? Omit<R, 'v' | 'at' | 'runId'> : never;

/** One run under audit. Every method keeps the promise of the seam: it resolves, whatever happens inside. */
export class AuditSession {
  readonly runId: string;
  readonly #parts: SessionParts;
  readonly #faults: RunFaults;
  readonly #task: string;
  readonly #tools: readonly ToolSpec[];
  readonly #redactor: RunRedactor;
  readonly #intake: TurnIntake;
  readonly #gate: Gate;
  readonly #verdicts: JudgedTurn[] = [];
  readonly #openAudits = new Set<OpenAudit>();
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
    this.#task = this.#redactor.text(info.task);
    this.#tools = (info.tools ?? []).map(({ name, description }) =>
      description === undefined ? { name } : { name, description: this.#redactor.text(description) },
    );
    void this.#record({
      type: 'run',
      task: this.#task,
      tools: this.#tools,
      framework: info.framework ?? 'manual',
      auditor: parts.auditor.name ?? 'auditor',
      onAlarm: parts.onAlarm,
      onAuditFailure: parts.onAuditFailure,
      continues: info.continues?.runId,
      recoveries: recoveries === 0 ? undefined : recoveries,
      undone,
    });
    for (const turn of info.continues?.turns ?? []) this.#intake.take({ ...turn, path: [], given: true });
    const task: TurnInput = { agent: 'user', kind: 'user', content: info.task };
    const given = info.given ?? (info.continues ? [] : [task]);
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
    const earlier = this.#earlier(path);
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

  #earlier(path: TurnPath): readonly OpenAudit[] {
    if (this.#openAudits.size === 0) return NONE;
    return [...this.#openAudits].filter((audit) => precedes(audit.path, path));
  }

  #concludeUnreadable(fault: string, prefix: Prefix): Promise<void> | undefined {
    const message = `the plugin submitted something that is no turn: ${fault}`;
    return this.#conclude({ failure: { kind: 'turn', message } }, prefix, 0);
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
  async #judge(prefix: Prefix, earlier: readonly OpenAudit[]): Promise<void> {
    this.#judgedIds.add(prefix.newest.id);
    let recorded: Promise<void> | undefined;
    const judged = (async () => {
      if (earlier.length > 0) await Promise.all(earlier.map((audit) => audit.judged));
      if (this.#gate.alarm || this.#gate.shut) {
        this.#unjudgedIds.add(prefix.newest.id);
        return;
      }
      const started = performance.now();
      const request = { runId: this.runId, task: this.#task, tools: this.#tools, prefix };
      const result = await askAuditor(this.#parts.auditor, request, this.#parts.deadlineMs);
      recorded = this.#conclude(result, prefix, performance.now() - started);
    })();
    const concluded = this.#parts.keeper ? judged.then(() => recorded) : judged;
    const settled =
      earlier.length > 0 ? Promise.all([concluded, ...earlier.map((audit) => audit.settled)]) : concluded;
    const audit = { path: prefix.newest.path, judged, settled };
    for (const other of earlier) if (samePlace(other.path, audit.path)) this.#openAudits.delete(other);
    this.#openAudits.add(audit);
    try {
      await settled;
    } finally {
      this.#openAudits.delete(audit);
    }
  }

  #conclude(result: AuditResult, prefix: Prefix, durationMs: number): Promise<void> | undefined {
    const { id: turnId, index: step } = prefix.newest;
    const blames = (alarmStep: number) => prefix.at(alarmStep) as Turn;
    const enforced = this.#gate.take(result, blames);
    if ('verdict' in result) this.#verdicts.push({ step, turnId, verdict: result.verdict });
    if ('failure' in result)
      return this.#concludeFailure(result.failure, { step, turnId }, enforced, durationMs);
    if (enforced !== 'proceed') this.#halt ??= this.#haltDetails(this.#gate.alarm, undefined);
    const { verdict } = result;
    const alarmTurnId = verdict.kind === 'alarm' ? blames(verdict.step).id : undefined;
    return this.#record({ type: 'verdict', turnId, step, durationMs, verdict, alarmTurnId, enforced });
  }

  #concludeFailure(
    raw: AuditFailure,
    judged: { readonly step: number; readonly turnId: string },
    enforced: Enforced,
    durationMs: number,
  ): Promise<void> | undefined {
    const failure = { ...raw, message: this.#redactor.text(raw.message) };
    if (enforced !== 'proceed') this.#halt ??= this.#haltDetails(undefined, { ...judged, failure });
    this.#faults.auditFailed(failure);
    return this.#record({ type: 'failure', ...judged, durationMs, failure, enforced });
  }

  async #close(given: Outcome): Promise<void> {
    const { outcome, fault } = readOutcome(given);
    if (fault) this.#faults.report('bad-outcome', fault.message, fault);
    this.#gate.close();
    await Promise.all([...this.#openAudits].map((audit) => audit.settled));
    const whole = this.#intake.trajectory.whole();
    const last = whole.at(-1);
    if (outcome.status === 'completed' && last && !last.given && !this.#judgedIds.has(last.id))
      await this.#judge(whole, []);
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
