import { type Decision, type Outcome, PendingVerdicts, type Stop, type TurnPath } from '../../core/index.js';
import { AlarmInterrupt, alarmQuestion } from './alarm-interrupt.js';
import { GraphAuditHalt } from './halt.js';
import type { StandingPause } from './invocation.js';
import type { Task } from './task.js';

/** Holds a run's nodes until the verdicts on what precedes them are there, and stops them when the run has been stopped. */
export class RunGate {
  readonly #standing: StandingPause | undefined;
  readonly #verdicts = new PendingVerdicts((stop) => this.#stopped(stop));
  #pause: AlarmInterrupt | undefined;

  /** @param standing a pause of an earlier run that its caller has not answered */
  constructor(standing: StandingPause | undefined) {
    this.#standing = standing;
    if (standing) this.#pause = new AlarmInterrupt(standing.question, standing.interruptId);
  }

  /** Why the run was stopped, and what for. */
  get stopped(): Stop | undefined {
    return this.#verdicts.stopped;
  }

  /** Whether a human will see our question. */
  get isAsked(): boolean {
    return this.#pause?.isAsked === true;
  }

  /** Something was said at `path`, and what is to be done about it will be decided. */
  expect(path: TurnPath, decision: Promise<Decision>): void {
    this.#verdicts.expect(path, decision);
  }

  note(decision: Decision): void {
    this.#verdicts.note(decision);
  }

  /**
   * Waits for the verdicts on everything that precedes `path`; where none is pending, says so at once.
   * @throws GraphAuditHalt when the run has been halted, there or in any branch
   * @throws GraphInterrupt when it has been paused
   * @throws Error when the run ended meanwhile, as after an abort: nothing may start any more
   */
  pass(path: TurnPath): Promise<void> | undefined {
    const before = this.#verdicts.cutShort;
    const pending = this.#verdicts.before(path);
    if (pending) return pending.then(() => this.#mayGoOn(path, before));
    this.#mayGoOn(path, before);
    return undefined;
  }

  /**
   * As {@link pass}, at the end of a task of the functional API. There a pause becomes a halt: a task that ends in an
   * interrupt would lose its result, and be done again when a human lets it pass.
   */
  async passTask(path: TurnPath): Promise<void> {
    try {
      await this.pass(path);
    } catch (error) {
      if (!this.#pause || !this.stopped) throw error;
      this.#pause = undefined;
      throw new GraphAuditHalt(this.stopped.halt);
    }
  }

  /** Does not wait. @throws GraphAuditHalt, GraphInterrupt as {@link pass} */
  checkLatch(path: TurnPath): void {
    if (!this.stopped) return;
    throw this.#pause ? this.#pause.at(path) : new GraphAuditHalt(this.stopped.halt);
  }

  /** A node of the root graph that waits for an answer which the caller has not given. @throws GraphInterrupt */
  checkStanding({ info, site }: Task): void {
    if (!this.#standing || site.path.length > 1 || this.#standing.answered.has(info.namespace)) return;
    throw this.#pause?.at(site.path);
  }

  /** A task came to an end other than an interrupt. */
  taskEnded({ site }: Task): void {
    this.#pause?.taskEnded(site.path);
  }

  /**
   * The run is over. Nobody waits for a verdict any more, and who waited does not start. After an abort nothing else may
   * start either; what a failed run leaves behind in other branches goes on as it would without us.
   */
  end(outcome: Outcome): void {
    this.#verdicts.end(outcome);
  }

  #stopped({ action, halt }: Stop): void {
    const question = action === 'pause' ? alarmQuestion(halt) : undefined;
    if (question) this.#pause = new AlarmInterrupt(question);
  }

  #mayGoOn(path: TurnPath, before: Outcome['status'] | undefined): void {
    this.checkLatch(path);
    const { cutShort } = this.#verdicts;
    if (cutShort === 'aborted' || cutShort !== before)
      throw new DOMException('the run has ended while a verdict was pending', 'AbortError');
  }
}
