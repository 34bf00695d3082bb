import type { Sample } from '../sample.js';
import { writeJsonLines } from './json-lines.js';

/**
 * Writes the boundary pairs that samples have gained, one a line, as preference trainers read conversations: `prompt`, `chosen`
 * and `rejected` are lists of messages. Held out samples are left out. @returns how many pairs
 */
export function exportPreferences(samples: AsyncIterable<Sample>, path: string): Promise<number> {
  return writeJsonLines(path, preferences(samples));
}

async function* preferences(samples: AsyncIterable<Sample>): AsyncGenerator<object> {
  for await (const { id, pairs = [], split, group } of samples) {
    if (split === 'test') continue;
    for (const { kind, step, prompt, chosen, rejected } of pairs)
      yield { prompt, chosen: [said(chosen)], rejected: [said(rejected)], kind, sample_id: id, step, group };
  }
}

function said(content: string) {
  return { role: 'assistant', content };
}
