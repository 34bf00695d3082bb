import { oneLine } from './terminal-text.js';

const LONGEST = 2_000;

/** One line on stderr. It may quote file names and field values, which are not ours. */
export function complain(message: string): void {
  console.error(`agentforesight: ${oneLine(message.replace(/^\[agentforesight\] /, ''), LONGEST)}`);
}
