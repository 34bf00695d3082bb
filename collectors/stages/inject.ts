import { type JsonValue, type Replayer, SetupError } from '../../core/index.js';
import { type Place, placesIn, variantId } from '../inject/places.js';
import { replayInTime } from '../inject/replay-in-time.js';
import { rewriteLaterTurns } from '../inject/rewrite-later-turns.js';
import { FAULT_CATEGORIES, type FaultCategory } from '../inject/taxonomy.js';
import { type WrittenFault, writeFault } from '../inject/write-fault.js';
import type { Judge } from '../judge/judge.js';
import type { Sample, SampleTurn, ScoredOutcome } from '../sample.js';
import type { Stage, StageDecision } from '../stage.js';

/** Omega of a run that was made here. @returns nothing where it cannot say */
export type Omega = (
  sample: Sample,
  signal: AbortSignal,
) => Promise<ScoredOutcome | { readonly failure: string } | undefined>;

export interface InjectOptions {
  /** Writes the faulty turns, and with turn rewriting what follows them. */
  readonly judge: Judge;
  readonly omega: Omega;
  /** Runs go on from the fault in their own framework, with their real tools. Without it, a model writes what follows. */
  readonly replayer?: Replayer | undefined;
  /** Longest that one replay may take, in milliseconds; the run then waits, undecided. Default: 600,000. */
  readonly replayDeadlineMs?: number | undefined;
  /** Faulty variants of each safe run. Default: 1. */
  readonly variants?: number | undefined;
  /** Places that are tried for them, in all. Default: 3 for each variant. */
  readonly tries?: number | undefined;
  /** Times that a faulty turn is asked for, until it has the original's shape. Default: 3. */
  readonly attempts?: number | undefined;
  /** Names from the taxonomy. Default: all. */
  readonly categories?: readonly string[] | undefined;
  readonly seed?: number | undefined;
  /** Runs under way at once. Default: 4. */
  readonly concurrency?: number | undefined;
}

type Made = { readonly variant: Sample } | { readonly rejected: string } | { readonly undecided: string };

/**
 * Writes faults into safe runs. A variant is kept if the run fails by it; one that still succeeds has recovered, and one whose
 * fault looks different, or says the same, teaches the looks. The safe run itself goes on unchanged.
 * @throws SetupError for an unknown category, or counts below 1
 */
export function injectStage(options: InjectOptions): Stage {
  const { judge, omega, replayer, variants = 1, attempts = 3, seed = 1, concurrency = 4 } = options;
  const { tries = 3 * variants, replayDeadlineMs = 600_000 } = options;
  for (const [name, value] of Object.entries({ variants, tries, attempts, replayDeadlineMs })) {
    if (!(Number.isSafeInteger(value) && value >= 1))
      throw new SetupError('inject', `${name} is ${value}`, 'Give a whole number from 1 on');
  }
  const categories = named(options.categories);
  const method = replayer ? 'live-replay' : 'turn-rewriting';

  async function made(sample: Sample, place: Place, variant: number, signal: AbortSignal): Promise<Made> {
    const { step, category } = place;
    const fault = await writeFault(judge, sample, step, category, { attempts, variant }, signal);
    if ('failure' in fault) return { undecided: `the faulty turn: ${fault.failure.message}` };
    if ('rejected' in fault) return { rejected: `the faulty turn ${fault.rejected.join('; it ')}` };
    const went = await goneOn(sample, step, fault, variant, signal);
    if (!('turns' in went)) return went;
    const parent = sample.provenance.parent ?? sample.id;
    const variantSample: Sample = {
      ...sample,
      id: variantId(sample.id, place, method),
      turns: went.turns,
      // Said of the parent, not of this run.
      outcome: undefined,
      feedback: undefined,
      pairs: undefined,
      label: { kind: 'unsafe', step, agent: fault.turn.agent, reason: fault.reason, source: 'injected' },
      provenance: { ...sample.provenance, parent, fault: { category: category.name, step, method } },
    };
    const outcome = await omega(variantSample, signal);
    if (!outcome) return { undecided: 'nobody could score the run' };
    if ('failure' in outcome) return { undecided: `the outcome: ${outcome.failure}` };
    if (outcome.value === 1) return { rejected: `the run recovered: ${outcome.reason}` };
    return { variant: { ...variantSample, outcome } };
  }

  async function goneOn(
    sample: Sample,
    step: number,
    { turn }: WrittenFault,
    variant: number,
    signal: AbortSignal,
  ): Promise<{ readonly turns: readonly SampleTurn[] } | Exclude<Made, { variant: Sample }>> {
    if (!replayer) {
      const before = [...sample.turns.slice(0, step), turn];
      const continued = await rewriteLaterTurns(judge, sample, before, variant, signal);
      return 'failure' in continued ? { undecided: `a later turn: ${continued.failure.message}` } : continued;
    }
    const { id, thread, task, turns } = sample;
    const request = { runId: id, thread, task, turns, step, turn };
    const replay = await replayInTime(replayer, request, replayDeadlineMs, signal);
    if ('overdue' in replay) return { undecided: `the replay: ${replay.overdue}` };
    return replay.refused === undefined ? replay : { rejected: `it cannot be replayed: ${replay.refused}` };
  }

  return {
    name: 'inject',
    options: {
      judge: judge.name,
      method,
      variants,
      tries,
      attempts,
      seed,
      categories: categories.map(({ name }) => name),
    },
    concurrency,
    async process(sample, signal) {
      const { id } = sample;
      if (!isSafe(sample)) return passed(sample, 'not known to be safe, so no fault is written into it');
      const kept: Sample[] = [];
      const decisions: StageDecision[] = [];
      const places = placesIn(sample, categories, seed).slice(0, tries);
      for (const [variant, place] of places.entries()) {
        if (kept.length === variants) break;
        const result = await made(sample, place, variant, signal);
        const evidence: JsonValue = { step: place.step, category: place.category.name, method };
        if ('variant' in result) {
          kept.push(result.variant);
          const reason = result.variant.outcome?.reason ?? '';
          decisions.push({ id: result.variant.id, rule: 'inject', verdict: 'keep', reason, evidence });
        } else if ('undecided' in result) {
          // The whole run waits: another place would be taken otherwise, only because a server was down.
          decisions.push({ id, rule: 'inject', verdict: 'undecided', reason: result.undecided, evidence });
          return { samples: [], decisions };
        } else decisions.push({ id, rule: 'inject', verdict: 'drop', reason: result.rejected, evidence });
      }
      if (places.length === 0) decisions.push(...passed(sample, 'no turn of it fits a fault').decisions);
      return { samples: [sample, ...kept], decisions };
    },
  };
}

function passed(sample: Sample, reason: string) {
  return {
    samples: [sample],
    decisions: [{ id: sample.id, rule: 'inject', verdict: 'keep' as const, reason }],
  };
}

function isSafe({ label, outcome, provenance }: Sample): boolean {
  if (provenance.fault) return false;
  return label ? label.kind === 'safe' : outcome?.value === 1;
}

function named(names: readonly string[] | undefined): readonly FaultCategory[] {
  if (!names) return FAULT_CATEGORIES;
  const known = new Map(FAULT_CATEGORIES.map((category) => [category.name, category]));
  return names.map((name) => {
    const category = known.get(name);
    if (category) return category;
    throw new SetupError(
      'inject',
      `there is no fault category ${name}`,
      `Choose from ${[...known.keys()].join(', ')}`,
    );
  });
}
