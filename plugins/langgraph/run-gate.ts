import { type Decision, type Outcome, precedes, type TurnPath } from '../../core/index.js';
import { AlarmInterrupt, alarmQuestion } from './alarm-interrupt.js';
import { GraphAuditHalt } from './halt.js';
import type { StandingPause } from './invocation.js';
import type { Task } from './task.js';

/** A verdict that is under way. */
interface Pending {
  readonly path: TurnPath;
  readonly decided: Promise<void>;
}

/** Holds a run's nodes until the verdicts on what precedes them are there, and stops them when the run has been stopped. */
export class RunGate {
  readonly #standing: StandingPause | undefined;
  readonly #pending = new Set<Pending>();
  /** Who waits for verdicts, to be let go when the run ends. A promise for the end would keep a reaction for every wait. */
  readonly #waiting = new Set<() => void>();
  /** How the run ended, if it did not complete. */
  #cutShort: Outcome['status'] | undefined;
  #stop: Exclude<Decision, { action: 'proceed' }> | undefined;
  #pause: AlarmInterrupt | undefined;

  /** @param standing a pause of an earlier run that its caller has not answered */
  constructor(standing: StandingPause | undefined) {
    this.#standing = standing;
    if (standing) this.#pause = new AlarmInterrupt(standing.question, standing.interruptId);
  }

  /** Why the run was stopped, and what for. */
  get stopped(): Exclude<Decision, { action: 'proceed' }> | undefined {
    return this.#stop;
  }

  /** Whether a human will see our question. */
  get isAsked(): boolean {
    return this.#pause?.isAsked === true;
  }

  /** Something was said at `path`, and what is to be done about it will be decided. */
  expect(path: TurnPath, decision: Promise<Decision>): void {
    const pending: Pending = {
      path,
      decided: decision.then((decided) => {
        this.note(decided);
        this.#pending.delete(pending);
      }),
    };
    this.#pending.add(pending);
  }

  note(decision: Decision): void {
    if (decision.action === 'proceed' || this.#stop) return;
    this.#stop = decision;
    const question = decision.action === 'pause' ? alarmQuestion(decision.halt) : undefined;
    if (question) this.#pause = new AlarmInterrupt(question);
  }

  /**
   * Waits for the verdicts on everything that precedes `path`; where none is pending, says so at once.
   * @throws GraphAuditHalt when the run has been halted, there or in any branch
   * @throws GraphInterrupt when it has been paused
   * @throws Error when the run ended meanwhile, as after an abort: nothing may start any more
   */
  pass(path: TurnPath): Promise<void> | undefined {
    const before = this.#cutShort;
    if (this.#pending.size > 0) {
      const preceding = [...this.#pending].filter((pending) => precedes(pending.path, path));
      if (preceding.length > 0) return this.#settled(preceding).then(() => this.#mayGoOn(path, before));
    }
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
      if (!this.#pause || !this.#stop) throw error;
      this.#pause = undefined;
      throw new GraphAuditHalt(this.#stop.halt);
    }
  }

  /** Does not wait. @throws GraphAuditHalt, GraphInterrupt as {@link pass} */
  checkLatch(path: TurnPath): void {
    if (!this.#stop) return;
    throw this.#pause ? this.#pause.at(path) : new GraphAuditHalt(this.#stop.halt);
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
  end({ status }: Outcome): void {
    if (status === 'completed') return;
    this.#cutShort = status;
    for (const letGo of this.#waiting) letGo();
  }

  /** Resolves also when the run ends before the verdicts are there, unless it had ended already. */
  #settled(pending: readonly Pending[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    if (this.#cutShort === undefined) this.#waiting.add(resolve);
    void Promise.all(pending.map(({ decided }) => decided)).then(() => {
      this.#waiting.delete(resolve);
      resolve();
    });
    return promise;
  }

  #mayGoOn(path: TurnPath, before: Outcome['status'] | undefined): void {
    this.checkLatch(path);
    if (this.#cutShort === 'aborted' || this.#cutShort !== before)
      throw new DOMException('the run has ended while a verdict was pending', 'AbortError');
  }
}
