import { randomUUID } from 'node:crypto';
import type { ZodError } from 'zod';
import { askAuditor } from './ask-auditor.js';
import type { AuditFailure, Auditor, AuditResult } from './auditor.js';
import { type Diagnostics, messageOf } from './diagnostics.js';
import type { HaltDetails, JudgedTurn } from './errors.js';
import { type Decision, Gate, type GatePolicy } from './gate.js';
import { toJsonValue } from './json.js';
import type { Prefix } from './prefix.js';
import { type AuditRecord, RECORD_VERSION } from './record.js';
import type { RecordKeeper } from './record-keeper.js';
import type { Redactor } from './redact.js';
import { redactText, redactTurn } from './redact-turn.js';
import type { Outcome, RunInfo, ToolSpec } from './run-info.js';
import type { Schedule } from './schedule.js';
import { Trajectory } from './trajectory.js';
import { type Turn, type TurnInput, turnInputSchema } from './turn.js';
import { precedes, type TurnPath } from './turn-path.js';

/** What a session needs of its runtime. `keeper` is absent for a run that sampling leaves out of the log. */
export interface SessionParts extends GatePolicy {
  readonly auditor: Auditor;
  readonly schedule: Schedule;
  readonly keeper: RecordKeeper | undefined;
  readonly redactor: Redactor;
  readonly deadlineMs: number;
  readonly diagnostics: Diagnostics;
}

/** An audit that has been asked for and not yet answered. */
interface OpenAudit {
  readonly path: TurnPath;
  readonly settled: Promise<void>;
}

/** A record of this run before it is stamped; distributes over the record types, so that each keeps its own fields. */
type Unstamped<R = AuditRecord> = R extends { runId: string } ? Omit<R, 'v' | 'at' | 'runId'> : never;

/** One run under audit. Every method keeps the promise of the seam: it resolves, whatever happens inside. */
export class AuditSession {
  readonly runId: string;
  readonly #parts: SessionParts;
  readonly #task: string;
  readonly #tools: readonly ToolSpec[];
  readonly #trajectory = new Trajectory();
  readonly #gate: Gate;
  readonly #verdicts: JudgedTurn[] = [];
  readonly #turnIds = new Set<string>();
  readonly #openAudits = new Set<OpenAudit>();
  #lastJudged: string | undefined;
  #closing: Promise<void> | undefined;

  /** @internal Plugins open sessions with `runtime.openSession`. */
  constructor(info: RunInfo, parts: SessionParts) {
    this.runId = info.runId;
    this.#parts = parts;
    this.#gate = new Gate(parts);
    this.#task = redactText(info.task, parts.redactor, this.#redactorFailed);
    this.#tools = (info.tools ?? []).map(({ name, description }) =>
      description === undefined
        ? { name }
        : { name, description: redactText(description, parts.redactor, this.#redactorFailed) },
    );
    this.#record({
      type: 'run',
      task: this.#task,
      tools: this.#tools,
      framework: info.framework ?? 'manual',
      auditor: parts.auditor.name ?? 'auditor',
      onAlarm: parts.onAlarm,
      onAuditFailure: parts.onAuditFailure,
      continues: info.continues?.runId,
    });
    for (const turn of info.continues?.turns ?? []) this.#place({ ...turn, path: [], given: true });
    const task: TurnInput = { agent: 'user', kind: 'user', content: info.task };
    const given = info.given ?? (info.continues ? [] : [task]);
    for (const turn of given) void this.#take({ ...turn, path: [], given: true });
  }

  /**
   * Takes one turn and resolves when the host may go on, or must not: after the verdicts on this turn and on everything
   * that precedes it, and after the recorder has acknowledged them. Turns keep the order of the calls, awaited or not.
   * After a halt it goes on answering `halt`; later turns are recorded, not audited.
   */
  async submit(input: TurnInput): Promise<Decision> {
    try {
      await this.#take(input);
    } catch (cause) {
      this.#fault('session-fault', cause);
    }
    return this.#decision();
  }

  /** All turns so far, in final order. */
  turns(): readonly Turn[] {
    return this.#trajectory.turns();
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
      this.#fault('session-fault', cause);
    }
    return this.#decision();
  }

  async #take(input: TurnInput): Promise<void> {
    const parsed = turnInputSchema.safeParse(input);
    const turn = parsed.success ? parsed.data : unreadableTurn(input);
    const earlier = [...this.#openAudits].filter((audit) => precedes(audit.path, turn.path ?? []));
    const prefix = this.#place(turn);
    if (prefix) {
      const due = turn.given !== true && this.#isDue(prefix);
      const written = this.#record({ type: 'turn', turn: prefix.newest, due });
      if (!parsed.success) await this.#concludeUnreadable(parsed.error, prefix);
      else if (due) await this.#judge(prefix, earlier);
      await written;
    }
    await Promise.all(earlier.map((audit) => audit.settled));
  }

  /** @returns nothing for a turn that is there already */
  #place(turn: TurnInput): Prefix | undefined {
    const id = turn.id ?? `turn-${this.#trajectory.length}`;
    if (this.#turnIds.has(id)) return undefined;
    this.#turnIds.add(id);
    const complete = { ...turn, id, path: turn.path ?? [], at: turn.at ?? Date.now() };
    return this.#trajectory.append(redactTurn(complete, this.#parts.redactor, this.#redactorFailed));
  }

  async #concludeUnreadable(error: ZodError, prefix: Prefix): Promise<void> {
    const [issue] = error.issues;
    const message = `the plugin submitted something that is no turn: ${issue?.path.join('.')}: ${issue?.message}`;
    await this.#conclude({ failure: { kind: 'turn', message } }, prefix, 0);
  }

  #isDue(prefix: Prefix): boolean {
    try {
      return this.#parts.schedule.due(prefix);
    } catch (cause) {
      this.#fault('schedule-failed', cause);
      return true;
    }
  }

  /** One verdict at a time along a line of work: the first alarm must be the earliest, and it ends the asking. */
  async #judge(prefix: Prefix, earlier: readonly OpenAudit[]): Promise<void> {
    this.#lastJudged = prefix.newest.id;
    const settled = (async () => {
      if (earlier.length > 0) await Promise.all(earlier.map((audit) => audit.settled));
      if (this.#gate.alarm || this.#gate.shut) return;
      const started = performance.now();
      const request = { runId: this.runId, task: this.#task, tools: this.#tools, prefix };
      const result = await askAuditor(this.#parts.auditor, request, this.#parts.deadlineMs);
      await this.#conclude(result, prefix, performance.now() - started);
    })();
    const audit = { path: prefix.newest.path, settled };
    this.#openAudits.add(audit);
    try {
      await settled;
    } finally {
      this.#openAudits.delete(audit);
    }
  }

  async #conclude(result: AuditResult, prefix: Prefix, durationMs: number): Promise<void> {
    const { id: turnId, index: step } = prefix.newest;
    const blames = (alarmStep: number) => (prefix.at(alarmStep) as Turn).id;
    const enforced = this.#gate.take(result, blames);
    if ('failure' in result) {
      this.#reportFailure(result.failure);
      await this.#record({ type: 'failure', turnId, step, durationMs, failure: result.failure, enforced });
      return;
    }
    const { verdict } = result;
    this.#verdicts.push({ step, turnId, verdict });
    const alarmTurnId = verdict.kind === 'alarm' ? blames(verdict.step) : undefined;
    await this.#record({ type: 'verdict', turnId, step, durationMs, verdict, alarmTurnId, enforced });
  }

  async #close(outcome: Outcome): Promise<void> {
    await Promise.all([...this.#openAudits].map((audit) => audit.settled));
    const whole = this.#trajectory.whole();
    const last = whole.at(-1);
    if (outcome.status === 'completed' && last && !last.given && last.id !== this.#lastJudged)
      await this.#judge(whole, []);
    const { status, error } =
      this.#gate.shut && outcome.status !== 'aborted'
        ? { status: 'halted' as const, error: undefined }
        : outcome;
    await this.#record({
      type: 'close',
      outcome: {
        status,
        error:
          error === undefined ? undefined : redactText(error, this.#parts.redactor, this.#redactorFailed),
      },
    });
  }

  #decision(): Decision {
    return this.#gate.shut ? { action: 'halt', halt: this.#haltDetails() } : { action: 'proceed' };
  }

  /** The alarm's step counts in the prefix it was raised on; side-by-side branches may since have been renumbered. */
  #haltDetails(): HaltDetails {
    const turns = this.#trajectory.turns();
    const latched = this.#gate.alarm;
    const step = turns.findIndex((turn) => turn.id === latched?.turnId);
    return {
      runId: this.runId,
      alarm: latched && { ...latched.alarm, step },
      turns,
      verdicts: [...this.#verdicts],
    };
  }

  /** Resolves at once for a run that is not recorded. Never rejects. */
  async #record(record: Unstamped): Promise<void> {
    await this.#parts.keeper?.append({ v: RECORD_VERSION, runId: this.runId, at: Date.now(), ...record });
  }

  #reportFailure(failure: AuditFailure): void {
    const message = `the auditor gave no verdict (${failure.kind}): ${failure.message}`;
    this.#parts.diagnostics.report({ code: `audit-failure-${failure.kind}`, message, runId: this.runId });
  }

  #fault(code: string, cause: unknown): void {
    this.#parts.diagnostics.report({ code, message: messageOf(cause), runId: this.runId, cause });
  }

  readonly #redactorFailed = (cause: unknown): void => this.#fault('redactor-failed', cause);
}

/** Keeps what a faulty plugin submitted, as far as it can be read, so that the log shows it. */
function unreadableTurn(input: unknown): TurnInput {
  return {
    id: `unreadable-${randomUUID()}`,
    agent: 'unknown',
    kind: 'state',
    content: JSON.stringify(toJsonValue(input)),
  };
}
