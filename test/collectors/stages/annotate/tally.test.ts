import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  supporters,
  tally,
  type VerifiedCandidate,
  type Vote,
} from '../../../../collectors/stages/annotate/tally.js';

const yes = (confidence = 50): Vote => ({
  exists: true,
  substantive: true,
  decisive: true,
  earliest: true,
  confidence,
});
const no = (criterion: keyof Vote, confidence = 100): Vote => ({ ...yes(confidence), [criterion]: false });
const candidate = (step: number, votes: readonly Vote[], failed = 0) => ({ step, agent: 'A', votes, failed });
const winner = (candidates: readonly VerifiedCandidate[], verifiers: number) => {
  const result = tally(candidates, verifiers);
  return result.kind === 'admitted' ? result.candidate.step : result.kind;
};

describe('examples', () => {
  test.each(['exists', 'substantive', 'decisive', 'earliest'] as const)(
    'a vote without %s is no support',
    (one) => {
      expect(winner([candidate(1, [yes(), no(one), no(one)])], 3)).toBe('refused');
      expect(winner([candidate(1, [yes(), yes(), no(one)])], 3)).toBe(1);
    },
  );

  test('half is not enough', () => {
    expect(winner([candidate(1, [yes(), yes(), no('exists'), no('exists')])], 4)).toBe('refused');
  });

  test('more support stands above more confidence', () => {
    const sure = candidate(1, [yes(100), yes(100), no('earliest')]);
    expect(winner([sure, candidate(2, [yes(1), yes(1), yes(1)])], 3)).toBe(2);
  });

  test('ties go to the surer supporters; those who refuse do not count', () => {
    const first = candidate(1, [yes(60), yes(60), no('decisive', 100)]);
    expect(winner([first, candidate(2, [yes(70), yes(51), no('decisive', 0)])], 3)).toBe(2);
  });

  test('equal in all: the earlier step', () => {
    expect(winner([candidate(5, [yes(), yes()]), candidate(4, [yes(), yes()])], 2)).toBe(4);
  });

  test('a failure is no refusal: what could still be admitted is open', () => {
    expect(winner([candidate(1, [yes(), no('exists')], 1)], 3)).toBe('open');
    expect(winner([candidate(1, [no('exists'), no('exists')], 1)], 3)).toBe('refused');
  });

  test('a failure that could not change the winner does no harm, and one that could does', () => {
    const best = candidate(1, [yes(), yes(), yes()]);
    expect(winner([best, candidate(2, [yes(), no('exists')], 1)], 3)).toBe(1);
    expect(winner([best, candidate(2, [yes(), yes()], 1)], 3)).toBe('open');
    expect(
      winner([candidate(1, [yes(), yes()], 1), candidate(2, [no('exists'), no('exists'), yes()])], 3),
    ).toBe(1);
  });

  test('no candidate: refused', () => {
    expect(winner([], 3)).toBe('refused');
  });
});

const vote: fc.Arbitrary<Vote> = fc.record({
  exists: fc.boolean(),
  substantive: fc.constant(true),
  decisive: fc.boolean(),
  earliest: fc.constant(true),
  confidence: fc.integer({ min: 0, max: 100 }),
});

/** Candidates at steps of their own, each asked about by `verifiers`, some of whom fail. */
const polls = fc.integer({ min: 1, max: 5 }).chain((verifiers) =>
  fc.record({
    verifiers: fc.constant(verifiers),
    candidates: fc.uniqueArray(
      fc.record({
        step: fc.nat(9),
        agent: fc.constant('A'),
        votes: fc.array(vote, { maxLength: verifiers }),
      }),
      { selector: ({ step }) => step, maxLength: 5 },
    ),
  }),
);
const withFailures = ({
  candidates,
  verifiers,
}: {
  candidates: readonly { step: number; agent: string; votes: readonly Vote[] }[];
  verifiers: number;
}) => candidates.map((one) => ({ ...one, failed: verifiers - one.votes.length }));

describe('properties', () => {
  test('the order of candidates and of votes never matters', () => {
    fc.assert(
      fc.property(polls, fc.infiniteStream(fc.nat()), (poll, random) => {
        const shuffled = <Item>(items: readonly Item[]) =>
          items
            .map((item) => ({ item, key: Number(random.next().value) }))
            .toSorted((a, b) => a.key - b.key)
            .map(({ item }) => item);
        const candidates = withFailures(poll);
        const other = shuffled(candidates).map((one) => ({ ...one, votes: shuffled(one.votes) }));
        expect(winner(other, poll.verifiers)).toBe(winner(candidates, poll.verifiers));
      }),
    );
  });

  test('who is admitted has more than half of V, and nobody has more', () => {
    fc.assert(
      fc.property(polls, (poll) => {
        const candidates = withFailures(poll);
        const result = tally(candidates, poll.verifiers);
        if (result.kind !== 'admitted') return;
        const support = supporters(result.candidate).length;
        expect(support).toBeGreaterThan(poll.verifiers / 2);
        for (const one of candidates) expect(supporters(one).length).toBeLessThanOrEqual(support);
      }),
    );
  });

  test('what is settled stays so, whatever the missing votes would have said', () => {
    fc.assert(
      fc.property(polls, fc.infiniteStream(vote), (poll, votes) => {
        const candidates = withFailures(poll);
        const before = winner(candidates, poll.verifiers);
        if (before === 'open') return;
        const completed = candidates.map((one) => ({
          ...one,
          votes: [...one.votes, ...Array.from({ length: one.failed }, () => votes.next().value as Vote)],
          failed: 0,
        }));
        expect(winner(completed, poll.verifiers)).toBe(before);
      }),
      { numRuns: 2_000 },
    );
  });

  test('it is open only where missing votes can make a difference', () => {
    fc.assert(
      fc.property(polls, (poll) => {
        const candidates = withFailures(poll);
        if (winner(candidates, poll.verifiers) !== 'open') return;
        const completedBy = (missing: Vote) =>
          candidates.map((one) => ({
            ...one,
            votes: [...one.votes, ...Array(one.failed).fill(missing)],
            failed: 0,
          }));
        const against = winner(completedBy(no('exists')), poll.verifiers);
        const each = candidates.map((favoured) =>
          winner(
            candidates.map((one) => ({
              ...one,
              votes: [...one.votes, ...Array(one.failed).fill(one === favoured ? yes(100) : no('exists'))],
              failed: 0,
            })),
            poll.verifiers,
          ),
        );
        // Equal confidence of 100 may leave the tie where it was: then the rule is careful, not wrong.
        const couldTie = candidates.some(({ votes }) => votes.some(({ confidence }) => confidence === 100));
        expect(couldTie || each.some((outcome) => outcome !== against)).toBe(true);
      }),
    );
  });
});
