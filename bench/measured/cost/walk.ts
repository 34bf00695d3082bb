import type { RecordedRun } from '../../../collectors/recorded-run.js';
import {
  type Prefix,
  type Prompt,
  type PromptLayout,
  type Schedule,
  Trajectory,
} from '../../../core/index.js';
import { BLOCK, BlockCache } from './block-cache.js';
import { LineTokens, wholeTokens } from './line-tokens.js';

/** What is asked of a run: its turns in their final order, and where it went wrong. */
export type WalkedRun = Pick<RecordedRun, 'runId' | 'task' | 'tools' | 'turns' | 'label'>;

/** What it costs to walk every run of a corpus to its end. */
export interface WalkCost {
  readonly calls: number;
  /** Tokens of all prompts. */
  readonly promptTokens: number;
  /** Those of them that a server has to compute; the others it finds in its cache. */
  readonly prefilledTokens: number;
  /** Tokens to compute if every call were made twice: what each second one adds. */
  readonly repeatedTokens: number;
  /** Calls at or after the labelled step, and what repeating these alone adds. */
  readonly callsFromLabel: number;
  readonly repeatedFromLabel: number;
  /** Prompts that are not the one before them and more. */
  readonly breaks: number;
  /** Tokens of the longest prompt. */
  readonly longest: number;
}

/** Every so many prompts are encoded as a whole too, to be sure of the quicker way. */
const CHECKED_EVERY = 211;

/**
 * Asks wherever a schedule says so, and at the end of each run. Every schedule has a cache of its own, shared by all runs.
 * @throws Error if a prompt's tokens are not what its layout or a whole encoding says
 */
export function walk<Name extends string>(
  runs: readonly WalkedRun[],
  layout: PromptLayout,
  schedules: Readonly<Record<Name, Schedule>>,
): Record<Name, WalkCost> {
  const lines = new LineTokens();
  const asked = Object.entries<Schedule>(schedules).map(
    ([name, schedule]) => [name, schedule, new Tally()] as const,
  );
  let prompts = 0;
  for (const run of runs) {
    for (const prefix of prefixesOf(run)) {
      const step = prefix.length - 1;
      const isLast = prefix.length === run.turns.length;
      const due = asked.filter(([, schedule]) => schedule.due(prefix) || isLast);
      if (due.length === 0) continue;
      const { task, tools, runId } = run;
      const prompt = layout.prompt({ runId, task, tools, prefix });
      const tokens = lines.of(prompt);
      if (prompts++ % CHECKED_EVERY === 0) requireSame(tokens, wholeTokens(prompt));
      if (tokens.length !== prompt.tokens) throw new Error(`${runId}: step ${step} is counted wrongly`);
      const isFromLabel = run.label?.kind === 'unsafe' && step >= run.label.step;
      for (const [, , tally] of due) tally.count(run, prompt, tokens, isFromLabel);
    }
  }
  return Object.fromEntries(asked.map(([name, , tally]) => [name, tally.cost])) as Record<Name, WalkCost>;
}

function* prefixesOf(run: WalkedRun): Generator<Prefix> {
  const trajectory = new Trajectory();
  for (const [step, turn] of run.turns.entries()) {
    yield trajectory.append({ ...turn, id: turn.id ?? `${step}`, at: 0, path: [] });
  }
}

class Tally {
  readonly #cache = new BlockCache();
  #run: WalkedRun | undefined;
  #body = '';
  readonly cost = {
    calls: 0,
    promptTokens: 0,
    prefilledTokens: 0,
    repeatedTokens: 0,
    callsFromLabel: 0,
    repeatedFromLabel: 0,
    breaks: 0,
    longest: 0,
  };

  count(run: WalkedRun, { body }: Prompt, tokens: Int32Array, isFromLabel: boolean): void {
    const repeated = ((tokens.length - 1) % BLOCK) + 1;
    this.cost.calls++;
    this.cost.promptTokens += tokens.length;
    this.cost.prefilledTokens += this.#cache.prefill(tokens);
    this.cost.repeatedTokens += repeated;
    if (isFromLabel) {
      this.cost.callsFromLabel++;
      this.cost.repeatedFromLabel += repeated;
    }
    if (run === this.#run && !body.startsWith(this.#body)) this.cost.breaks++;
    this.cost.longest = Math.max(this.cost.longest, tokens.length);
    this.#run = run;
    this.#body = body;
  }
}

function requireSame(pieced: Int32Array, whole: Int32Array): void {
  if (pieced.length !== whole.length || pieced.some((token, at) => token !== whole[at])) {
    throw new Error('a prompt encoded line by line has other tokens than encoded as a whole');
  }
}
