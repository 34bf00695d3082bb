/** One verifier's answer on one candidate. */
export interface Vote {
  readonly exists: boolean;
  readonly substantive: boolean;
  readonly decisive: boolean;
  readonly earliest: boolean;
  /** 0 to 100. */
  readonly confidence: number;
}

/** A step that proposers have named, and what its verifiers said. */
export interface VerifiedCandidate {
  readonly step: number;
  readonly agent: string;
  readonly votes: readonly Vote[];
  /** Verifiers that gave no answer. They count neither for it nor against it. */
  readonly failed: number;
}

export type Tally<Candidate> =
  | { readonly kind: 'admitted'; readonly candidate: Candidate }
  /** No candidate has, or can still get, the support of more than half of its verifiers. */
  | { readonly kind: 'refused' }
  /** What the missing votes would have said may change the outcome. */
  | { readonly kind: 'open' };

/** The verifiers for whom all four criteria hold. */
export function supporters({ votes }: Pick<VerifiedCandidate, 'votes'>): readonly Vote[] {
  return votes.filter(
    ({ exists, substantive, decisive, earliest }) => exists && substantive && decisive && earliest,
  );
}

/**
 * The rule of the method: of the candidates that more than half of their verifiers support, the one with most support, ties
 * by the supporters' confidence. What is still equal then is settled by the earlier step, so that the order in which
 * candidates and votes come never matters.
 */
export function tally<Candidate extends VerifiedCandidate>(
  candidates: readonly Candidate[],
  verifiers: number,
): Tally<Candidate> {
  const needs = verifiers / 2;
  const support = (candidate: Candidate) => supporters(candidate).length;
  const most = (candidate: Candidate) => support(candidate) + candidate.failed;
  const [best] = candidates.filter((candidate) => support(candidate) > needs).toSorted(bySupport);
  if (!best) return { kind: candidates.some((candidate) => most(candidate) > needs) ? 'open' : 'refused' };
  const isRivalled = candidates.some(
    (rival) => rival !== best && rival.failed > 0 && most(rival) >= support(best),
  );
  return isRivalled ? { kind: 'open' } : { kind: 'admitted', candidate: best };
}

function bySupport(one: VerifiedCandidate, other: VerifiedCandidate): number {
  const [ones, others] = [supporters(one), supporters(other)];
  return (
    others.length - ones.length ||
    confidence(others) - confidence(ones) ||
    one.step - other.step ||
    (one.agent < other.agent ? -1 : 1)
  );
}

/** A sum of whole numbers, exact in any order; compared where both have as many. */
function confidence(votes: readonly Vote[]): number {
  return votes.reduce((sum, vote) => sum + vote.confidence, 0);
}
