import { SHAPE_NAMES } from '../../collectors/probe/prefix-shape.js';
import type { ProbeRun } from '../../collectors/probe/probe-corpus.js';
import { type ReadRun, readRun } from '../../collectors/probe/read-run.js';
import type { TurnNgrams } from '../../collectors/probe/turn-ngrams.js';
import type { SampleTurn } from '../../collectors/sample.js';
import type { BenchRun } from '../bench-run.js';

const ADDED = [
  'domain, as a number',
  "speaker's name, as a number",
  'characters of the calls as the corpus wrote them, less those of their arguments',
  'turns so far whose calls the corpus wrote in a way of its own',
] as const;

export const PROBED_NAMES: readonly string[] = [...SHAPE_NAMES, ...ADDED];

/**
 * Bench runs as a probe reads them: beside the shapes that collectors look at, the domain, which of the training runs' speakers
 * it is, and how calls were written, by length alone. All of it was chosen by grouped cross-validation on training runs.
 */
export class ProbeRuns {
  readonly #ngrams: TurnNgrams | undefined;
  readonly #domains: readonly string[];
  readonly #speakers: readonly string[];

  /** @param ngrams what texts are read with; without it, none is */
  constructor(training: readonly BenchRun[], ngrams: TurnNgrams | undefined) {
    this.#ngrams = ngrams;
    this.#domains = [...new Set(training.map(({ run }) => run.domain ?? ''))].sort();
    this.#speakers = [...new Set(training.flatMap(({ run }) => run.turns.map(({ agent }) => agent)))].sort();
  }

  /** @returns what stands at k of it depends on turns 0 to k alone */
  read({ run }: BenchRun): ReadRun {
    const domain = this.#domains.indexOf(run.domain ?? '');
    const { shapes, ngrams } = readRun(run, this.#ngrams);
    let odd = 0;
    const withAdded = shapes.map((shape, step) => {
      const turn = run.turns[step] as SampleTurn;
      if (turn.action !== undefined) odd++;
      return Float32Array.of(...shape, domain, this.#speakers.indexOf(turn.agent), excessOf(turn), odd);
    });
    return { shapes: withAdded, ngrams };
  }

  readLabelled(bench: BenchRun): ProbeRun {
    const { runId: id, domain = '', label } = bench.run;
    const error =
      label.kind === 'unsafe'
        ? { step: label.step, source: label.source ?? ('unknown' as const) }
        : undefined;
    return { id, domain, group: bench.group, error, ...this.read(bench) };
  }
}

/** -1 where rendering the calls gives back what was written. */
function excessOf({ action, toolCalls = [] }: SampleTurn): number {
  if (action === undefined) return -1;
  return action.length - toolCalls.reduce((total, { args }) => total + JSON.stringify(args).length, 0);
}
