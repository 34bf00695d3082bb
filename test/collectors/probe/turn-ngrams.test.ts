import { expect, test } from 'vitest';
import { TurnNgrams } from '../../../collectors/probe/turn-ngrams.js';

function ngramsOf(content: string): string[] {
  const ngrams = new TurnNgrams();
  return [...ngrams.bucketsOf({ agent: 'A', kind: 'agent', content })].map((bucket) => ngrams.textOf(bucket));
}

test('words are folded, numbers are one, and a blank between words is none', () => {
  expect(ngramsOf('The  12')).toEqual(['the', '"  "', 'the "  "', '#', '"  " #']);
  expect(ngramsOf('The sum')).toEqual(['the', 'sum', 'the sum']);
  expect(ngramsOf('Animorphs</code>')).toContain('< /');
});

test('JSON with blanks is told from JSON without', () => {
  expect(ngramsOf('{"a": 1}')).not.toEqual(ngramsOf('{"a":1}'));
});

test('calls are read, too, and their ids', () => {
  const ngrams = new TurnNgrams();
  const toolCalls = [{ id: 'call_verify_slip', name: 'verify', args: { x: 'y' } }];
  const buckets = ngrams.bucketsOf({ agent: 'A', kind: 'agent', content: '', toolCalls });
  expect([...buckets].map((bucket) => ngrams.textOf(bucket))).toContain('call_verify_slip');
});
