import type { Turn } from '../../core/index.js';
import type { SampleTurn } from '../sample.js';

/** For core's readers and writers of turns, which know a turn by its place. What else is filled in, they do not look at. */
export function placedTurn(turn: SampleTurn, index: number): Turn {
  return { ...turn, index, id: String(index), path: [], at: 0 };
}
