import type { Prefix } from './prefix.js';

/**
 * Decides which prefixes deserve an auditor call. Asked once for every turn, given turns excepted; whatever it says, a
 * run that completes is judged once more at its end if its last turn was skipped.
 */
export interface Schedule {
  due(prefix: Prefix): boolean;
}

/** Asks at every turn, tool results and user turns included. */
export function everyTurn(): Schedule {
  return { due: () => true };
}
