import type { AuditResult } from './auditor.js';
import type { HaltDetails } from './errors.js';
import type { Alarm } from './verdict.js';

/** What a plugin must do now. */
export type Decision =
  | { readonly action: 'proceed' }
  | { readonly action: 'halt'; readonly halt: HaltDetails };

/** What to do about an alarm. `observe` records what would have been halted and lets the run be. */
export type OnAlarm = 'halt' | 'observe';

/** What to do about an audit that gave no verdict. */
export type OnAuditFailure = 'proceed' | 'halt';

export interface GatePolicy {
  readonly onAlarm: OnAlarm;
  readonly onAuditFailure: OnAuditFailure;
}

/**
 * Turns audit results into what is done about them, once per run. It latches: after a halt it stays shut, because
 * frameworks swallow, retry and re-wrap a single throw. The first alarm is the run's last word, enforced or not.
 */
export class Gate {
  readonly #policy: GatePolicy;
  readonly #overridden: ReadonlySet<string>;
  #alarm: { readonly alarm: Alarm; readonly turnId: string } | undefined;
  #shut = false;

  /** @param overridden ids of turns whose alarm a human has overridden: blaming them again changes nothing */
  constructor(policy: GatePolicy, overridden: ReadonlySet<string>) {
    this.#policy = policy;
    this.#overridden = overridden;
  }

  /**
   * @param blames maps the alarm's step, which counts within its own prefix, to the id of the blamed turn
   * @returns what was done, for the record
   */
  take(result: AuditResult, blames: (step: number) => string): 'proceed' | 'halt' {
    if ('failure' in result) {
      if (this.#policy.onAuditFailure === 'proceed') return 'proceed';
    } else {
      if (result.verdict.kind === 'continue') return 'proceed';
      const turnId = blames(result.verdict.step);
      if (this.#overridden.has(turnId)) return 'proceed';
      this.#alarm ??= { alarm: result.verdict, turnId };
      if (this.#policy.onAlarm === 'observe') return 'proceed';
    }
    this.#shut = true;
    return 'halt';
  }

  /** Set once the run has its final verdict, in `observe` mode too. */
  get alarm(): { readonly alarm: Alarm; readonly turnId: string } | undefined {
    return this.#alarm;
  }

  /** Whether the run has been halted. */
  get shut(): boolean {
    return this.#shut;
  }
}
