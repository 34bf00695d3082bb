import { hash } from 'node:crypto';
import type { Sample, SampleTurn } from '../sample.js';

/**
 * What ties a sample to others, as hashes: two samples with a key in common must not part.
 *
 * - the words of its task and of its first turn, which are one thing: what one corpus keeps as the task, another only says,
 * - all that its turns say,
 * - its own id and its parent's, which tie a run to the ones that were made from it.
 */
export function groupKeys({ id, task, turns, provenance: { parent } }: Sample): readonly string[] {
  const said = [task, turns[0]?.content ?? ''].map(folded).filter((text) => text !== '');
  return [
    sampleKey(id),
    ...(parent === undefined ? [] : [sampleKey(parent)]),
    ...said.map((text) => key('said', text)),
    ...(turns.length > 0 ? [key('history', folded(turns.map(wordsOf).join('\n')))] : []),
  ];
}

/** One of the keys of the sample with that id. */
export function sampleKey(id: string): string {
  return key('id', id);
}

function wordsOf({ agent, thought = '', content, toolCalls = [] }: SampleTurn): string {
  const calls = toolCalls.length > 0 ? JSON.stringify(toolCalls.map(({ name, args }) => [name, args])) : '';
  return `${agent}\n${thought}\n${calls}\n${content}`;
}

/** Near-duplicates differ in case, in white space, or in the width of their characters. */
function folded(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim();
}

function key(kind: string, text: string): string {
  return hash('sha256', `${kind}\0${text}`, 'hex').slice(0, 32);
}
