import { BoostedTrees } from '../../collectors/probe/boosted-trees.js';
import { groupedFolds, score } from '../../collectors/probe/cross-validate.js';
import { PrefixRows } from '../../collectors/probe/prefix-rows.js';
import {
  type FittedProbe,
  ngramProbe,
  noTextProbe,
  type ProbeKind,
  type ProbeName,
  scoresOf,
} from '../../collectors/probe/probe-kind.js';
import { TurnNgrams } from '../../collectors/probe/turn-ngrams.js';
import { bestThreshold } from '../../collectors/probe/walk.js';
import { type Auditor, everyTurn } from '../../core/index.js';
import { type BenchRun, truthOf } from '../bench-run.js';
import { isAsked, type Protocol } from '../protocol.js';
import type { FittedFloor, Floor } from './floor.js';
import { PROBED_NAMES, ProbeRuns } from './probe-runs.js';

/** Reads turn order, speakers and lengths. */
export const noTextProbeFloor: Floor = {
  name: 'no-text-probe',
  title: 'Probe that reads no text',
  fit: (training, protocol) => fitProbe('no-text-probe', 'no-text', training, protocol),
};

/** Reads tokens and pairs of them besides. */
export const ngramProbeFloor: Floor = {
  name: 'n-gram-probe',
  title: 'Probe of tokens and their pairs',
  fit: (training, protocol) => fitProbe('n-gram-probe', 'n-gram', training, protocol),
};

const FOLDS = 5;
const FOLD_SEED = 1;
/** Models whose scores are averaged, which varies less than one does. */
const SEEDS = [1, 2];

/**
 * Trees on training runs tell whether a prefix ends with the decisive error; the newest turn is blamed once they are sure
 * enough. How sure is chosen by the protocol's Exact-F1 over training runs, each scored by models fitted without its group.
 */
async function fitProbe(
  name: string,
  probe: ProbeName,
  training: readonly BenchRun[],
  protocol: Protocol,
): Promise<FittedFloor> {
  // The trees depend on the order of rows, which is nobody's to choose.
  const benches = training.toSorted((one, other) => (one.run.runId < other.run.runId ? -1 : 1));
  const ngrams = probe === 'n-gram' ? new TurnNgrams() : undefined;
  const probeRuns = new ProbeRuns(benches, ngrams);
  const rows = new PrefixRows(benches.map((bench) => probeRuns.readLabelled(bench)));
  const kind = kindOf(rows, ngrams);
  const all = rows.runs.map((_, index) => index);
  const scores = await outOfFold(kind, rows, all);
  silenceUnasked(scores, rows, benches, protocol);
  const threshold = bestThreshold(rows, all, scores);
  const probes = fitted(kind, rows, all);
  return (bench) => {
    const run = probeRuns.read(bench);
    const each = probes.map((one) => scoresOf(one, run));
    const margins = run.shapes.map((_, step) => meanOf(each.map((of) => of[step] as number)));
    return probeAuditor(name, margins, threshold);
  };
}

/** Of each prefix, by models that were fitted without its group. */
async function outOfFold(kind: ProbeKind, rows: PrefixRows, all: readonly number[]): Promise<Float64Array> {
  const scores = new Float64Array(rows.count);
  for (const heldOut of groupedFolds(rows, all, FOLDS, FOLD_SEED)) {
    // Fitting takes seconds, and signals are to be heard meanwhile.
    await new Promise((resolve) => setImmediate(resolve));
    const fold = new Set(heldOut);
    const others = all.filter((index) => !fold.has(index));
    addMeanScores(rows.of(heldOut), fitted(kind, rows, others), scores);
  }
  return scores;
}

function probeAuditor(name: string, margins: readonly number[], threshold: number): Auditor {
  return {
    name,
    schedule: everyTurn(),
    audit({ prefix: { newest } }) {
      const margin = margins[newest.index] ?? -Infinity;
      const score = 1 / (1 + Math.exp(-margin));
      if (margin <= threshold) return { kind: 'continue', score };
      const { index: step, agent } = newest;
      return { kind: 'alarm', step, agent, reason: 'turns like it were the decisive ones elsewhere', score };
    },
  };
}

function kindOf(rows: PrefixRows, ngrams: TurnNgrams | undefined): ProbeKind {
  const noText = noTextProbe(rows, PROBED_NAMES);
  return ngrams ? ngramProbe(rows, noText, ngrams) : noText;
}

function fitted(kind: ProbeKind, rows: PrefixRows, runs: readonly number[]): readonly FittedProbe[] {
  const columns = kind.columns(runs);
  return SEEDS.map((seed) => ({
    columns,
    model: new BoostedTrees(columns, rows.labels, rows.of(runs), { ...kind.trees, seed }),
  }));
}

function addMeanScores(of: Uint32Array, probes: readonly FittedProbe[], into: Float64Array): void {
  const one = new Float64Array(into.length);
  for (const probe of probes) {
    score(probe, of, one);
    for (const row of of) into[row] = (into[row] as number) + (one[row] as number) / probes.length;
  }
}

/** What the protocol does not ask about raises no alarm. */
function silenceUnasked(
  scores: Float64Array,
  rows: PrefixRows,
  benches: readonly BenchRun[],
  protocol: Protocol,
): void {
  for (const [index, bench] of benches.entries())
    for (let row = rows.start(index); row < rows.end(index); row++)
      if (!isAsked(protocol, truthOf(bench), row - rows.start(index))) scores[row] = -Infinity;
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
