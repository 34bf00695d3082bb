import { hash } from 'node:crypto';
import type { Prefix, TurnIndex } from '../prefix.js';
import type { Turn } from '../turn.js';
import { isAgentTurn } from './speaker.js';
import { toolCalls } from './tool-calls.js';

/** Files every agent turn under its agent and the set of its words, so that "said before?" is one look-up. */
const agentTurns: TurnIndex = {
  *keys(turn) {
    if (isAgentTurn(turn)) yield wordsKey(turn);
  },
};

/**
 * The latest earlier turn of the same agent with the same words and calls. Equal word sets are what a token-set
 * similarity of 0.999 or more means for any turn under a thousand words. Punctuation belongs to the word: `5` is not `-5`.
 */
export function repeatedTurn(prefix: Prefix, turn: Turn): Turn | undefined {
  return prefix.last(agentTurns, wordsKey(turn), turn.index);
}

/** True for a turn without a word or a call; thoughts count as words. */
export function isEmptyTurn(turn: Turn): boolean {
  return !/\S/.test(turn.content) && !/\S/.test(turn.thought ?? '') && toolCalls(turn).length === 0;
}

const keyOf = new WeakMap<Turn, string>();

function wordsKey(turn: Turn): string {
  const key = keyOf.get(turn) ?? hashedWords(turn);
  keyOf.set(turn, key);
  return key;
}

/** Hashed, so that an index over long turns keeps no second copy of them. */
function hashedWords(turn: Turn): string {
  const calls = toolCalls(turn).map(({ name, args }) => `${name} ${JSON.stringify(args)}`);
  const text = [turn.thought ?? '', turn.content, ...calls].join(' ').toLowerCase();
  const words = [...new Set(text.match(/\S+/g))].sort();
  return hash('sha256', JSON.stringify([turn.agent, words]), 'base64');
}
