import type { Turn } from '../turn.js';

/** Words of which the name of a speaker that is no model is made: `user`, `Computer_terminal`, `CodeExecutor`. */
const ENVIRONMENT_WORDS = new Set(
  'user human proxy tool tools environment env executor terminal console shell code computer'.split(' '),
);

/**
 * True for a turn that a model spoke. Plugins say so by `kind`; imported logs often know only a name, so a text turn
 * whose speaker's name is made of environment words alone (`ComputerTerminal`) is no agent's, while `Plan_Executor` is.
 * Whoever calls a tool is an agent, whatever its name.
 */
export function isAgentTurn(turn: Turn): boolean {
  if (turn.kind !== 'agent') return false;
  return turn.toolCalls?.length ? true : !hasEnvironmentName(turn.agent);
}

/** True for a turn that holds what a tool, a terminal or another environment answered. */
export function isToolTurn(turn: Turn): boolean {
  if (turn.kind === 'tool') return true;
  return turn.kind === 'agent' && !isAgentTurn(turn) && !/user|human|proxy/i.test(turn.agent);
}

function hasEnvironmentName(name: string): boolean {
  const words = name
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter(Boolean);
  return words.length > 0 && words.every((word) => ENVIRONMENT_WORDS.has(word));
}
