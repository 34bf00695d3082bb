import { type Dice, Throw } from './dice.js';
import type { Team } from './team-model.js';

/** A step as it was made. The fault is what only the simulation knows; an auditor may or may not notice it. */
export interface SimulatedStep {
  /** From 1 on. */
  readonly step: number;
  /** Which time this task's step was done: it decides the luck. */
  readonly attempt: number;
  readonly isFault: boolean;
  /** Steps of earlier faults that this one has repaired. */
  readonly repairs: readonly number[];
}

/** A run of a simulated team on one task, step by step, forwards and back. */
export class SimulatedRun {
  readonly #team: Team;
  readonly #dice: Dice;
  readonly #task: number;
  #attempt: number;
  #made: SimulatedStep[] = [];
  #open: SimulatedStep[] = [];
  #hinted: { readonly step: number; readonly isRight: boolean } | undefined;

  constructor(team: Team, dice: Dice, task: number, attempt: number) {
    this.#team = team;
    this.#dice = dice;
    this.#task = task;
    this.#attempt = attempt;
  }

  get isOver(): boolean {
    return this.#made.length === this.#team.model.steps;
  }

  /** Faults that nobody has repaired, oldest first. */
  get openFaults(): readonly SimulatedStep[] {
    return this.#open;
  }

  /** What the team says in the end: wrong runs agree only if the same steps went wrong. */
  get answer(): string {
    return this.#open.map(({ step }) => step).join('+') || 'right';
  }

  advance(): SimulatedStep {
    const step = this.#made.length + 1;
    const attempt = this.#attempt;
    const repairs = this.#open.length === 0 ? NONE : this.#repairedAt(step);
    if (repairs.length > 0) this.#open = this.#open.filter((fault) => !repairs.includes(fault.step));
    const chance = this.#chanceAt(step);
    const isFault = chance > 0 && this.#dice(this.#task, attempt, step, Throw.fault) < chance;
    const made = { step, attempt, isFault, repairs };
    this.#made.push(made);
    if (isFault) this.#open.push(made);
    return made;
  }

  /** Goes back to before a step. A hint that is right lowers the chance that it goes wrong again, another may mislead. */
  goBack(step: number): void {
    this.#hinted = { step, isRight: this.#open.some((fault) => fault.step === step) };
    this.#made = this.#made.slice(0, step - 1);
    const repaired = new Set(this.#made.flatMap(({ repairs }) => repairs));
    this.#open = this.#made.filter((made) => made.isFault && !repaired.has(made.step));
    this.#attempt++;
  }

  #repairedAt(step: number): readonly number[] {
    const { repairRate } = this.#team.model;
    return this.#open
      .map((fault) => fault.step)
      .filter((fault) => this.#dice(this.#task, this.#attempt, step, Throw.repair + fault) < repairRate);
  }

  #chanceAt(step: number): number {
    const { persistence, hintFactor, misledRate } = this.#team.model;
    const difficulty = this.#team.difficulty[step] as number;
    const isDifficult = this.#dice(this.#task, 0, step, Throw.difficulty) < difficulty;
    const chance = isDifficult ? persistence : 0;
    if (this.#hinted?.step !== step) return chance;
    const { isRight } = this.#hinted;
    this.#hinted = undefined;
    return isRight ? chance * hintFactor : 1 - (1 - chance) * (1 - misledRate);
  }
}

const NONE: readonly number[] = [];
