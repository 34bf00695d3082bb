import type { AuditResult } from './auditor.js';
import type { Budget } from './budget.js';
import type { HaltDetails } from './errors.js';
import type { Alarm } from './verdict.js';

/**
 * What a plugin must do now. All but `proceed` stop the run at this gate: for good (`halt`), until a human says
 * otherwise (`pause`), or to go back to before the blamed step and do it again (`recover`).
 */
export type Decision =
  | { readonly action: 'proceed' }
  | { readonly action: 'halt' | 'pause' | 'recover'; readonly halt: HaltDetails };

/** What was done about a verdict or failure. */
export type Enforced = Decision['action'];

/** What to do about an alarm. `observe` records what would have been halted and lets the run be. */
export type OnAlarm = 'halt' | 'pause' | 'recover' | 'observe';

/** What to do about an audit that gave no verdict. */
export type OnAuditFailure = 'proceed' | 'halt';

/** What may run while a verdict is pending: nothing (`block`), or the next model call (`overlap`). */
export type Gating = 'block' | 'overlap';

export interface GatePolicy {
  readonly onAlarm: OnAlarm;
  readonly onAuditFailure: OnAuditFailure;
  readonly budget?: Budget | undefined;
  /** How often one run may go back and try again. */
  readonly maxRecoveries: number;
}

/** What a gate needs to know of the run that it guards. */
export interface GateSetting {
  /** What the host can do about an alarm, beside halting. Where the policy asks for more, it is halted. */
  readonly can: readonly ('pause' | 'recover')[];
  /** Ids of turns whose alarm a human has overridden: blaming them again changes nothing. */
  readonly overridden: readonly string[];
  /** How often the run has gone back already. */
  readonly recoveries: number;
  /** Ids of given turns before which the host can go back all the same. */
  readonly revisable: readonly string[];
}

/** A turn as an alarm blames it. */
export interface BlamedTurn {
  readonly id: string;
  /** Whether it was there before this run, which then can hardly go back to before it. */
  readonly given?: boolean | undefined;
}

/**
 * Turns audit results into what is done about them, once per run. It latches: after a halt it stays shut, because
 * frameworks swallow, retry and re-wrap a single throw. The first alarm is the run's last word, enforced or not.
 */
export class Gate {
  readonly #policy: GatePolicy;
  readonly #setting: GateSetting;
  readonly #overridden: ReadonlySet<string>;
  #alarm: { readonly alarm: Alarm; readonly turnId: string } | undefined;
  #shut: Exclude<Enforced, 'proceed'> | undefined;
  #isFinal = false;

  constructor(policy: GatePolicy, setting: GateSetting) {
    this.#policy = policy;
    this.#setting = setting;
    this.#overridden = new Set(setting.overridden);
  }

  /**
   * @param blames maps the alarm's step, which counts within its own prefix, to the blamed turn
   * @returns what was done, for the record
   */
  take(result: AuditResult, blames: (step: number) => BlamedTurn): Enforced {
    if ('failure' in result) {
      const { budget, onAuditFailure } = this.#policy;
      const answer = (result.failure.kind === 'budget' && budget?.whenSpent) || onAuditFailure;
      if (answer !== 'halt') return 'proceed';
      this.#shut ??= 'halt';
      return this.#shut;
    }
    if (result.verdict.kind === 'continue') return 'proceed';
    const blamed = blames(result.verdict.step);
    if (this.#overridden.has(blamed.id)) return 'proceed';
    this.#alarm ??= { alarm: result.verdict, turnId: blamed.id };
    if (this.#policy.onAlarm === 'observe') return 'proceed';
    this.#shut ??= this.#answerTo(blamed);
    return this.#shut;
  }

  /** The host is done: nothing is left to pause before. */
  close(): void {
    this.#isFinal = true;
  }

  /** Set once the run has its final verdict, in `observe` mode too. */
  get alarm(): { readonly alarm: Alarm; readonly turnId: string } | undefined {
    return this.#alarm;
  }

  /** How the run has been stopped, if it has. */
  get shut(): Exclude<Enforced, 'proceed'> | undefined {
    return this.#shut;
  }

  #answerTo(blamed: BlamedTurn): Exclude<Enforced, 'proceed'> {
    const { onAlarm, maxRecoveries } = this.#policy;
    const { can, recoveries, revisable } = this.#setting;
    if (onAlarm === 'pause' && can.includes('pause') && !this.#isFinal) return 'pause';
    const isWithinReach = !blamed.given || revisable.includes(blamed.id);
    const mayGoBack = can.includes('recover') && isWithinReach && recoveries < maxRecoveries;
    return onAlarm === 'recover' && mayGoBack ? 'recover' : 'halt';
  }
}
