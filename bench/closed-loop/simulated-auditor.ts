import { z } from 'zod';
import { type Auditor, everyTurn, type Prefix } from '../../core/index.js';
import { type Dice, Throw } from './dice.js';
import type { OperatingPoint } from './operating-point.js';
import type { SimulatedStep } from './simulated-run.js';

/**
 * Whom an auditor of this quality blames at a prefix.
 * @param openFaults oldest first
 * @returns the step; undefined to go on
 */
export function blamedStep(
  { recall, delays, attribution, falseAlarmRate }: OperatingPoint,
  dice: Dice,
  task: number,
  openFaults: readonly Pick<SimulatedStep, 'step' | 'attempt'>[],
  newest: Pick<SimulatedStep, 'step' | 'attempt'>,
): number | undefined {
  for (const { step, attempt } of openFaults) {
    if (dice(task, attempt, step, Throw.notice) >= recall) continue;
    if (newest.step < step + delayAt(delays, dice(task, attempt, step, Throw.delay))) continue;
    const luck = dice(task, newest.attempt, newest.step, Throw.blame);
    if (luck < attribution || newest.step === 1) return step;
    // Any other step, each as likely.
    const other = 1 + Math.floor(((luck - attribution) / (1 - attribution)) * (newest.step - 1));
    return other < step ? other : other + 1;
  }
  return dice(task, newest.attempt, newest.step, Throw.falseAlarm) < falseAlarmRate ? newest.step : undefined;
}

function delayAt(delays: readonly number[], luck: number): number {
  let sum = 0;
  for (const [delay, share] of delays.entries()) {
    sum += share;
    if (luck < sum) return delay;
  }
  return delays.length - 1;
}

/** How a simulated step is written down as a turn's content: what the auditor reads, as a model would read a message. */
const contentSchema = z.object({
  step: z.int(),
  attempt: z.int(),
  isFault: z.boolean(),
  repairs: z.array(z.int()),
});

export const contentOf = (step: SimulatedStep): string => JSON.stringify(step);

/** The task that a run is about, as its text says it. */
export const taskText = (task: number): string => `task ${task}`;
export const taskNumber = (text: string): number => Number(text.slice('task '.length));

/** An auditor of a given quality, asked by the real runtime at every step, that knows of a run what its prefix says. */
export function simulatedAuditor(point: OperatingPoint, dice: Dice, auditCost: number): Auditor {
  return {
    name: point.name,
    schedule: everyTurn(),
    audit({ task, prefix }, { note }) {
      note?.({
        type: 'call',
        purpose: 'verdict',
        model: point.name,
        attempts: 1,
        cost: auditCost,
        durationMs: 0,
      });
      const { newest, openFaults, indexOf } = read(prefix);
      const blamed = newest && blamedStep(point, dice, taskNumber(task), openFaults, newest);
      if (blamed === undefined) return { kind: 'continue' };
      const step = indexOf.get(blamed) as number;
      const agent = prefix.at(step)?.agent as string;
      return { kind: 'alarm', step, agent, reason: `step ${blamed} looks wrong` };
    },
  };
}

/** Steps and turns are counted apart: a hint is a turn, and no step. */
function read(prefix: Prefix) {
  const indexOf = new Map<number, number>();
  const openFaults = new Map<number, SimulatedStep>();
  let newest: SimulatedStep | undefined;
  for (const turn of prefix) {
    if (turn.kind !== 'agent') continue;
    newest = contentSchema.parse(JSON.parse(turn.content));
    indexOf.set(newest.step, turn.index);
    for (const repaired of newest.repairs) openFaults.delete(repaired);
    if (newest.isFault) openFaults.set(newest.step, newest);
  }
  return { newest, openFaults: [...openFaults.values()], indexOf };
}
