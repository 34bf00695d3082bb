/** What a number decides. Each has numbers of its own, so that one decision more leaves all others as they were. */
export const Throw = {
  difficulty: 1,
  fault: 2,
  notice: 3,
  delay: 4,
  blame: 5,
  falseAlarm: 6,
  /** Plus the step whose fault may be repaired. */
  repair: 16,
} as const;

/** An evenly spread number from 0 to below 1 for one decision; the same whenever and in whatever order it is asked for. */
export type Dice = (task: number, attempt: number, step: number, decision: number) => number;

/**
 * Common random numbers: two policies, or one policy under two auditors, meet the same luck on the same task, so that
 * what differs between them is the policy. They are hashed from their place, since runs that go back throw dice in another
 * order than runs that do not.
 */
export function diceOf(seed: number): Dice {
  return (task, attempt, step, decision) => {
    let hash = mixed(seed ^ 0x9e3779b9);
    hash = mixed(hash ^ Math.imul(task + 1, 0x85ebca6b));
    hash = mixed(hash ^ Math.imul(attempt + 1, 0xc2b2ae35));
    hash = mixed(hash ^ Math.imul(step * 4096 + decision, 0x27d4eb2f));
    return hash / 4294967296;
  };
}

/** Chris Wellons' `lowbias32`: every bit of the input changes every bit of the result with a chance of one half. */
function mixed(value: number): number {
  let bits = value ^ (value >>> 16);
  bits = Math.imul(bits, 0x7feb352d);
  bits ^= bits >>> 15;
  bits = Math.imul(bits, 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}
