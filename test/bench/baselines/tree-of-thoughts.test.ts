import { describe, expect, it } from 'vitest';
import { treeOfThoughts } from '../../../bench/baselines/tree-of-thoughts.js';
import { alarmReply, fails, replies, SAFE } from '../../support/model-server/behaviours.js';
import type { SeenChat } from '../../support/model-server.js';
import { answers, notesOf, questionOf, walking } from '../support/walked-baseline.js';

const verdict = replies({ text: alarmReply(2, 'solver') });
const proposed = (...thoughts: readonly string[]) => answers({ thoughts });
const vote = (best: unknown) => answers({ best });
const value = (of: string) => answers({ value: of });
const small = { depth: 1, candidates: 3, evaluations: 3 };

const shapeOf = (seen: SeenChat) => questionOf(seen).replace(/[ ,.].*/s, '');

describe('Tree of Thoughts', () => {
  it('by default makes thirteen calls: at each of two levels a proposal and five votes, then the verdict', async () => {
    const levels = [proposed('a', 'b', 'c', 'd', 'e'), ...Array.from({ length: 5 }, () => vote(2))];
    const { prediction, purposes, server } = await walking(treeOfThoughts, [...levels, ...levels, verdict]);
    expect(prediction.audits).toMatchObject([
      { step: 2, verdict: { kind: 'alarm', step: 2, agent: 'solver' } },
    ]);
    const level = ['thought', ...Array.from({ length: 5 }, () => 'vote')];
    expect(purposes).toEqual([...level, ...level, 'verdict']);
    expect(server.requests.map(({ body }) => body['temperature'])).toEqual([
      ...Array.from({ length: 12 }, () => 0.7),
      0,
    ]);
    const [first, firstVote, , , , , second, secondVote] = server.requests;
    expect(notesOf(first)).toEqual([]);
    expect(questionOf(first)).toMatch(/^Propose 5 different thoughts/);
    expect(notesOf(firstVote).at(-1)).toEqual({ analysis: 5, thoughts: ['e'] });
    expect(notesOf(second)).toEqual([{ thought: 1, text: 'b' }]);
    expect(notesOf(secondVote)[0]).toEqual({ analysis: 1, thoughts: ['b', 'a'] });
    expect(notesOf(server.requests[12])).toEqual([
      { thought: 1, text: 'b' },
      { thought: 2, text: 'b' },
    ]);
    expect(questionOf(server.requests[12])).toMatch(
      /^The notes are the best analysis found\..*Reply in exactly this form/s,
    );
  });

  it('keeps several states, and shares out the votes among all that come of them', async () => {
    const { server } = await walking(
      treeOfThoughts,
      [
        proposed('a', 'b', 'c'),
        vote(3),
        vote(3),
        vote(1),
        proposed('x', 'y', 'z', 'more'),
        proposed('x', 'y'),
        vote(5),
        vote(5),
        vote(9),
        verdict,
      ],
      { config: { ...small, depth: 2, beam: 2 } },
    );
    expect(server.requests.map(shapeOf)).toEqual([
      'Propose',
      'The',
      'The',
      'The',
      'Propose',
      'Propose',
      'The',
      'The',
      'The',
      'The',
    ]);
    expect(server.requests.slice(4, 6).map(notesOf)).toEqual([
      [{ thought: 1, text: 'c' }],
      [{ thought: 1, text: 'a' }],
    ]);
    expect(notesOf(server.requests[6]).map(({ thoughts }) => thoughts)).toEqual([
      ['c', 'x'],
      ['c', 'y'],
      ['c', 'z'],
      ['a', 'x'],
      ['a', 'y'],
    ]);
    expect(notesOf(server.requests[9]).map(({ text }) => text)).toEqual(['a', 'y']);
  });

  it('can value each state by itself, where one sure outweighs what is likely', async () => {
    const { server, purposes } = await walking(
      treeOfThoughts,
      [
        proposed('a', 'b', 'b'),
        value('likely'),
        value('likely'),
        value('likely'),
        value('impossible'),
        value('sure'),
        value('impossible'),
        verdict,
      ],
      { config: { ...small, evaluate: 'value' } },
    );
    expect(purposes).toEqual(['thought', ...Array.from({ length: 6 }, () => 'vote'), 'verdict']);
    expect(notesOf(server.requests[1])).toEqual([{ thought: 1, text: 'a' }]);
    expect(notesOf(server.requests[7])).toEqual([{ thought: 1, text: 'b' }]);
  });

  it('can draw each thought by itself, with a seed of its own', async () => {
    const thought = (text: string) => answers({ thought: text });
    const { server } = await walking(
      treeOfThoughts,
      [thought('a'), thought('b'), replies({ text: 'Hm.' }), vote(2), vote(2), vote(1), verdict],
      { config: { ...small, generate: 'sample', seed: 40 } },
    );
    expect(server.requests.map(({ body }) => body['seed'])).toEqual([40, 41, 42, 40, 41, 42, 40]);
    expect(notesOf(server.requests[3]).map(({ thoughts }) => thoughts)).toEqual([['a'], ['b']]);
    expect(notesOf(server.requests[6])).toEqual([{ thought: 1, text: 'b' }]);
  });

  it('goes on without the votes that say nothing, as long as one does', async () => {
    const rest = [vote('the first'), replies({ text: '' }), vote(2), verdict];
    const { server, prediction } = await walking(treeOfThoughts, [proposed('a', 'b'), ...rest], {
      config: small,
    });
    expect(prediction.audits).toMatchObject([{ verdict: { kind: 'alarm' } }]);
    expect(notesOf(server.requests[4])).toEqual([{ thought: 1, text: 'b' }]);
  });

  it.each([
    ['proposes nothing', [replies({ text: SAFE })], 'invalid'],
    ['proposes a list without a thought', [proposed()], 'invalid'],
    ['votes for nothing', [proposed('a'), ...Array.from({ length: 3 }, () => vote(null))], 'invalid'],
    ['fails at one vote', [proposed('a'), vote(1), fails(500, 'oops'), vote(1)], 'unavailable'],
    [
      'gives no verdict',
      [proposed('a'), vote(1), vote(1), vote(1), replies({ text: 'SAFE' }), replies({ text: 'SAFE' })],
      'invalid',
    ],
  ] as const)('is no Continue where the model %s', async (_, script, kind) => {
    const { prediction, server, calls } = await walking(treeOfThoughts, script, { config: small });
    expect(prediction.audits).toMatchObject([{ failure: { kind } }]);
    expect(server.requests).toHaveLength(script.length);
    expect(calls).toHaveLength(script.length);
  });

  it('shows no more of a thought than its notes may have', async () => {
    const { server } = await walking(
      treeOfThoughts,
      [proposed('w'.repeat(5_000)), vote(1), vote(1), vote(1), verdict],
      {
        config: { ...small, noteTokens: 16 },
      },
    );
    expect(notesOf(server.requests[4])).toEqual([{ thought: 1, text: `${'w'.repeat(64)} […]` }]);
  });
});
