import { SHAPE_NAMES } from '../../collectors/probe/prefix-shape.js';
import type { ProbeRun } from '../../collectors/probe/probe-corpus.js';
import { type ReadRun, readRun } from '../../collectors/probe/read-run.js';
import type { TurnNgrams } from '../../collectors/probe/turn-ngrams.js';
import type { SampleTurn } from '../../collectors/sample.js';
import type { JsonValue } from '../../core/index.js';
import type { BenchRun } from '../bench-run.js';

const ADDED = [
  'domain, as a number',
  "speaker's name, as a number",
  'characters of the calls as the corpus wrote them, less those of their arguments',
  'turns so far whose calls the corpus wrote in a way of its own',
  ...['text', 'thought', 'calls', 'text, 1 back'].flatMap((what) => [
    `lines of the ${what}`,
    `words of the ${what}`,
  ]),
  'lines of all agents so far, per turn',
];

export const PROBED_NAMES: readonly string[] = [...SHAPE_NAMES, ...ADDED];

/**
 * Bench runs as a probe reads them: beside the shapes that collectors look at, the domain, which of the training runs' speakers
 * speaks, and lengths in lines and words. Chosen by grouped cross-validation on AFTraj's training runs.
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
    let lines = 0;
    const withAdded = run.turns.map((turn, step) => {
      if (turn.action !== undefined) odd++;
      if (turn.kind === 'agent') lines += linesOf(turn.content);
      const texts = [turn.content, turn.thought, callsOf(turn), run.turns[step - 1]?.content];
      return Float32Array.of(
        ...(shapes[step] ?? []),
        domain,
        this.#speakers.indexOf(turn.agent),
        excessOf(turn),
        odd,
        ...texts.flatMap((text = '') => [linesOf(text), wordsOf(text)]),
        lines / (step + 1),
      );
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

/** As written, where that is known; else the arguments, texts as they are. */
function callsOf({ action, toolCalls = [] }: SampleTurn): string {
  return action ?? toolCalls.map(({ args }) => textOf(args)).join('\n');
}

function textOf(args: JsonValue): string {
  return typeof args === 'object' && args !== null ? Object.values(args).map(textOf).join('\n') : `${args}`;
}

function linesOf(text: string): number {
  return text.split('\n').length;
}

function wordsOf(text: string): number {
  return text.split(/\s+/).length;
}
