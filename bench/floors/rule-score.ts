import { counted, NOTHING } from '../../collectors/first-alarms/alarm-counts.js';
import { releasedF1 } from '../../collectors/first-alarms/exact-f1.js';
import { type BenchRun, truthOf } from '../bench-run.js';
import { isAsked, type Protocol } from '../protocol.js';

/** Whether a rule blames the turn at `step` as soon as it is the newest; may look at no later one. */
export type FiresAt = (run: BenchRun['run'], step: number) => boolean;

/** Exact-F1 by the released code, 0 to 1, of a rule that blames the newest turn. For choosing among rules on training runs. */
export function ruleScore(runs: readonly BenchRun[], protocol: Protocol, fires: FiresAt): number {
  const counts = runs.reduce((sum, bench) => {
    const truth = truthOf(bench);
    const step = bench.run.turns.findIndex((_, at) => isAsked(protocol, truth, at) && fires(bench.run, at));
    return counted(sum, {
      error: truth.label.kind === 'unsafe' ? truth.label : undefined,
      alarm: step < 0 ? undefined : { step },
    });
  }, NOTHING);
  return releasedF1(counts);
}

/** What scores highest; of equals, the first. @param candidates at least one */
export function bestOf<Candidate>(
  candidates: readonly Candidate[],
  score: (candidate: Candidate) => number,
): Candidate {
  const scored = candidates.map((candidate) => ({ candidate, worth: score(candidate) }));
  return scored.reduce((best, one) => (one.worth > best.worth ? one : best)).candidate;
}
