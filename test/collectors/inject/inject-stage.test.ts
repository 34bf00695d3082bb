import fc from 'fast-check';
import { expect, test } from 'vitest';
import { placesIn } from '../../../collectors/inject/places.js';
import { FAULT_CATEGORIES } from '../../../collectors/inject/taxonomy.js';
import type { Sample, SampleTurn } from '../../../collectors/sample.js';
import { type InjectOptions, injectStage, type Omega } from '../../../collectors/stages/inject.js';
import { type Replayer, SetupError } from '../../../core/index.js';
import { failsWith, ScriptedJudge } from '../../support/scripted-judge.js';
import { sampleOf } from '../support/samples.js';

const says = (content: string, agent = 'solver'): SampleTurn => ({ agent, kind: 'agent', content });
const safe = (changes: Partial<Sample> = {}) =>
  sampleOf('sums', {
    task: 'What is 17 + 23?',
    label: { kind: 'safe' },
    reference: '40',
    turns: [
      { agent: 'user', kind: 'user', content: 'What is 17 + 23?' },
      says('I add the numbers: 17 + 23 makes 40.'),
      says('The sum of the two numbers is 40.', 'writer'),
    ],
    ...changes,
  });

/** Fails unless the last turn has the right number. */
const lastTurnIs40: Omega = async ({ turns }) =>
  turns.at(-1)?.content.includes('40')
    ? { value: 1, by: 'test', reason: 'it says 40' }
    : { value: 0, by: 'test', reason: 'it does not say 40' };

const FAULT = 'The turn to rewrite';
const LATER = 'The original next turn';
const slip = { turn: { content: 'I add the numbers: 17 + 23 makes 46.' }, reason: '17 + 23 is 40' };

/** Writes 46 in place of 40, and carries on with `words`. */
const slips = (words = 'The sum of the two numbers is 46.') =>
  new ScriptedJudge().always(FAULT, { answer: slip }).always(LATER, { answer: { content: words } });
/** Writes this turn wherever it is asked for one, and is not asked for later ones. */
const writes = (content: string) =>
  new ScriptedJudge().always(FAULT, { answer: { turn: { content }, reason: 'a slip' } });
const nobody = () => new ScriptedJudge();

const stage = (options: Partial<InjectOptions> = {}) =>
  injectStage({ judge: nobody(), omega: lastTurnIs40, categories: ['wrong-arithmetic'], ...options });
const process = (sample: Sample, options: Partial<InjectOptions> = {}) =>
  stage(options).process(sample, new AbortController().signal);

test('a fault is written, the rest is rewritten, and the failed run is a labelled sample beside the safe one', async () => {
  const { samples, decisions } = await process(safe(), { judge: slips() });
  const [original, variant] = samples;
  expect(samples).toHaveLength(2);
  expect(original).toEqual(safe());
  expect(variant).toMatchObject({
    task: 'What is 17 + 23?',
    reference: '40',
    label: { kind: 'unsafe', step: 1, agent: 'solver', reason: '17 + 23 is 40', source: 'injected' },
    outcome: { value: 0 },
    provenance: {
      parent: 'sums',
      fault: { category: 'wrong-arithmetic', step: 1, method: 'turn-rewriting' },
    },
  });
  expect(variant?.turns.map(({ content }) => content)).toEqual([
    'What is 17 + 23?',
    'I add the numbers: 17 + 23 makes 46.',
    'The sum of the two numbers is 46.',
  ]);
  expect(variant?.id).not.toMatch(/sums|inject|unsafe/);
  expect(decisions).toMatchObject([{ id: variant?.id, verdict: 'keep', evidence: { step: 1 } }]);
});

test('what was said of the safe run is not said of its variant', async () => {
  const praised = safe({
    feedback: { value: 1, by: 'thumbs' },
    outcome: { value: 1, by: 'thumbs', reason: '' },
  });
  const { samples } = await process(praised, { judge: slips() });
  expect(samples[1]).toMatchObject({ feedback: undefined, outcome: { value: 0, by: 'test' } });
});

test('a run that recovers is refused', async () => {
  const judge = slips('The sum of the two numbers is 40.');
  const { samples, decisions } = await process(safe(), { judge });
  expect(samples).toEqual([safe()]);
  expect(decisions).toMatchObject([{ verdict: 'drop', reason: 'the run recovered: it says 40' }]);
});

test('a fault that looks different is asked for again, and told why; then it is refused', async () => {
  const judge = writes('Wrong: “46”');
  const { samples, decisions } = await process(safe(), { judge, attempts: 2 });
  expect(samples).toEqual([safe()]);
  expect(decisions[0]).toMatchObject({ verdict: 'drop', reason: expect.stringContaining('typographic') });
  expect(judge.calls.map(({ sample }) => sample)).toEqual([0, 1]);
  expect(judge.calls[1]?.prompt).toContain('An earlier answer was refused');
});

test('a turn that says the same is refused', async () => {
  const judge = writes('I add the numbers: 17 + 23  makes 40.');
  const { decisions } = await process(safe(), { judge });
  expect(decisions).toMatchObject([{ verdict: 'drop', reason: expect.stringContaining('says the same') }]);
});

test.each(['error', 'timeout', 'nonsense', 'budget'] as const)(
  'a judge that fails (%s) leaves the run waiting, whichever turn it was asked for',
  async (kind) => {
    const first = nobody().always(FAULT, failsWith(kind));
    expect(await process(safe(), { judge: first })).toMatchObject({
      samples: [],
      decisions: [{ id: 'sums', verdict: 'undecided' }],
    });
    const second = nobody().always(FAULT, { answer: slip }).always(LATER, failsWith(kind));
    expect(await process(safe(), { judge: second })).toMatchObject({
      samples: [],
      decisions: [{ verdict: 'undecided', reason: expect.stringContaining('later turn') }],
    });
  },
);

test('a scorer that fails leaves the run waiting', async () => {
  const omega: Omega = async () => ({ failure: 'the sandbox is down' });
  expect(await process(safe(), { omega, judge: slips() })).toMatchObject({
    samples: [],
    decisions: [{ verdict: 'undecided', reason: 'the outcome: the sandbox is down' }],
  });
});

test('only runs that are known to be safe get a fault; others pass', async () => {
  const failed = safe({ label: { kind: 'unsafe', step: 1, agent: 'solver' } });
  const unknown = safe({ label: undefined });
  for (const sample of [failed, unknown]) expect((await process(sample)).samples).toEqual([sample]);
  const scored = safe({ label: undefined, outcome: { value: 1, by: 'test', reason: '' } });
  expect((await process(scored, { judge: slips() })).samples).toHaveLength(2);
});

test('a replay that hangs, deaf to its signal, leaves the run waiting', async () => {
  let told: unknown;
  const hanging: Replayer = {
    replay: (_, signal) => {
      signal.addEventListener('abort', () => {
        told = signal.reason;
      });
      return new Promise(() => {});
    },
  };
  const { samples, decisions } = await process(safe(), {
    replayer: hanging,
    replayDeadlineMs: 20,
    judge: writes(slip.turn.content),
  });
  expect(samples).toEqual([]);
  expect(decisions).toMatchObject([{ verdict: 'undecided', reason: 'the replay: no end within 20 ms' }]);
  expect(told).toMatchObject({ name: 'TimeoutError' });
});

test('a replay that is stopped is neither late nor refused', async () => {
  const stopping = new AbortController();
  const stopped: Replayer = {
    replay: () => {
      stopping.abort(new Error('enough'));
      return new Promise(() => {});
    },
  };
  const made = stage({ replayer: stopped, judge: writes(slip.turn.content) });
  await expect(made.process(safe(), stopping.signal)).rejects.toThrow('enough');
});

test('a replayer goes on from the fault; what it cannot replay is refused', async () => {
  const replayer: Replayer = {
    replay: async ({ turns, step, turn }) => ({
      turns: [...turns.slice(0, step), turn, says('So it is 46.', 'writer')],
    }),
  };
  const { samples } = await process(safe(), { replayer, judge: writes(slip.turn.content) });
  expect(samples[1]?.turns.at(-1)?.content).toBe('So it is 46.');
  expect(samples[1]?.provenance.fault?.method).toBe('live-replay');
  const refusing: Replayer = { replay: async () => ({ refused: 'its thread is gone' }) };
  expect(await process(safe(), { replayer: refusing, judge: writes(slip.turn.content) })).toMatchObject({
    samples: [{ id: 'sums' }],
    decisions: [{ verdict: 'drop', reason: expect.stringContaining('its thread is gone') }],
  });
});

test('options that make no sense are refused at once', () => {
  expect(() => stage({ categories: ['bad-luck'] })).toThrow(SetupError);
  expect(() => stage({ variants: 0 })).toThrow(/variants is 0/);
});

test('places are turns of agents between the task and the last turn, the same for the same seed', () => {
  const anyTurn = fc.record({
    agent: fc.constantFrom('a', 'b'),
    kind: fc.constantFrom('user', 'agent', 'tool' as const),
    content: fc.constantFrom('', 'So it is 40 and 17 in all, I would say.', '{}'),
  }) as fc.Arbitrary<SampleTurn>;
  fc.assert(
    fc.property(fc.array(anyTurn, { minLength: 1, maxLength: 12 }), fc.integer(), (turns, seed) => {
      const sample = sampleOf('any', { turns });
      const places = placesIn(sample, FAULT_CATEGORIES, seed);
      for (const { step, category } of places) {
        expect(step).toBeGreaterThanOrEqual(1);
        expect(step).toBeLessThanOrEqual(turns.length - 2);
        expect(turns[step]?.kind).toBe('agent');
        expect(category.fits(turns[step] as SampleTurn, turns.slice(0, step))).toBe(true);
      }
      expect(new Set(places.map(({ step }) => step)).size).toBe(places.length);
      expect(placesIn(sample, FAULT_CATEGORIES, seed)).toEqual(places);
    }),
  );
});
