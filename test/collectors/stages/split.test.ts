import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import { readAfTrajTestSplit } from '../../../collectors/importers/aftraj-split.js';
import type { RunLabel } from '../../../collectors/recorded-run.js';
import type { Sample } from '../../../collectors/sample.js';
import { type SplitOptions, splitStage } from '../../../collectors/stages/split.js';
import { collect } from '../support/collect.js';
import { dataFolder } from '../support/data-folder.js';
import { runStage } from '../support/run-stage.js';
import { asSample, sampleOf } from '../support/samples.js';

const splitOf = (samples: readonly Sample[], options?: SplitOptions) =>
  runStage(splitStage(options), samples);

const LABELS: readonly (RunLabel | undefined)[] = [
  undefined,
  { kind: 'safe' },
  { kind: 'unsafe', step: 1, agent: 'solver', source: 'injected' },
  { kind: 'unsafe', step: 1, agent: 'solver', source: 'natural' },
];

/** Runs that share tasks, first turns, histories and parents at random, and in chains. */
const corpus = fc
  .array(
    fc.record({
      task: fc.nat(40),
      says: fc.option(fc.nat(60), { nil: undefined }),
      parent: fc.option(fc.nat(80), { nil: undefined }),
      asked: fc.option(fc.nat(40), { nil: undefined }),
      domain: fc.constantFrom('math', 'coding', undefined),
      label: fc.constantFrom(...LABELS),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((runs) =>
    runs.map(({ task, says, parent, asked, domain, label }, at) =>
      sampleOf(`run ${at}`, {
        task: `Task ${task}`,
        turns: [
          { agent: 'user', kind: 'user', content: `Task ${asked ?? task}` },
          {
            agent: 'solver',
            kind: 'agent',
            content: says === undefined ? `Only run ${at}.` : `Words ${says}`,
          },
        ],
        domain,
        label,
        provenance: {
          format: 'test',
          source: `${at}`,
          parent: parent === undefined ? undefined : `run ${parent}`,
        },
      }),
    ),
  );

/** What must not part, said anew: every pair of runs that has any of these in common. */
function areTied(one: Sample, other: Sample): boolean {
  const first = ({ task, turns }: Sample) => [task, turns[0]?.content];
  const said = ({ turns }: Sample) => JSON.stringify(turns);
  return (
    first(one).some((text) => first(other).includes(text)) ||
    said(one) === said(other) ||
    one.provenance.parent === other.id ||
    (one.provenance.parent !== undefined && one.provenance.parent === other.provenance.parent)
  );
}

describe('splitStage', () => {
  test('no two runs that are tied stand on two sides, or in two groups', () =>
    fc.assert(
      fc.asyncProperty(corpus, fc.nat(5), async (samples, seed) => {
        const { samples: placed } = await splitOf(samples, { testShare: 0.3, seed });
        expect(placed.map(({ id }) => id)).toEqual(samples.map(({ id }) => id));
        const sides = Map.groupBy(placed, ({ group }) => group);
        for (const members of sides.values()) expect(new Set(members.map(({ split }) => split)).size).toBe(1);
        for (const one of placed)
          for (const other of placed) if (areTied(one, other)) expect(one.group).toBe(other.group);
      }),
    ));

  test('the order of the runs plays no part', () =>
    fc.assert(
      fc.asyncProperty(
        corpus.chain((samples) =>
          fc.tuple(fc.constant(samples), fc.shuffledSubarray(samples, { minLength: samples.length })),
        ),
        async ([samples, shuffled]) => {
          const places = async (runs: readonly Sample[]) =>
            new Map((await splitOf(runs)).samples.map(({ id, group, split }) => [id, `${group} ${split}`]));
          const inOrder = await places(samples);
          for (const [id, place] of await places(shuffled)) expect(place).toBe(inOrder.get(id));
        },
      ),
    ));

  test('runs without ties are held out in the share asked for, in every domain and kind of label', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 40, max: 200 }),
        fc.double({ min: 0.05, max: 0.5, noNaN: true }),
        async (count, testShare) => {
          const samples = Array.from({ length: count }, (_, at) =>
            sampleOf(`run ${at}`, { domain: at % 3 ? 'math' : 'coding', label: LABELS[at % 2] }),
          );
          const { samples: placed } = await splitOf(samples, { testShare });
          for (const stratum of Map.groupBy(
            placed,
            ({ domain, label }) => `${domain} ${label?.kind}`,
          ).values()) {
            const tested = stratum.filter(({ split }) => split === 'test').length;
            expect(Math.abs(tested - testShare * stratum.length)).toBeLessThanOrEqual(1);
          }
        },
      ),
    ));

  test('groups of one stratum miss the share by half of the largest at most', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 40 }),
        async (sizes) => {
          const samples = sizes.flatMap((size, task) =>
            Array.from({ length: size }, (_, at) => sampleOf(`${task}-${at}`, { task: `Task ${task}` })),
          );
          const { samples: placed } = await splitOf(samples, { testShare: 0.2 });
          const tested = placed.filter(({ split }) => split === 'test').length;
          const goal = Math.round(0.2 * samples.length);
          expect(Math.abs(tested - goal)).toBeLessThanOrEqual(Math.max(...sizes) / 2);
        },
      ),
    ));

  test('another seed holds out other runs', async () => {
    const samples = Array.from({ length: 100 }, (_, at) => sampleOf(`run ${at}`));
    const held = async (seed: number) =>
      (await splitOf(samples, { seed })).samples.filter(({ split }) => split === 'test').map(({ id }) => id);
    expect(await held(1)).toEqual(await held(1));
    expect(await held(2)).not.toEqual(await held(1));
  });

  test('case, white space and width make no other task', async () => {
    const { samples } = await splitOf([
      sampleOf('a', { task: 'How much is 2 + 2?' }),
      sampleOf('b', { task: '  how much\n is ２ + 2? ' }),
      sampleOf('c', { task: 'How much is 2 + 3?' }),
    ]);
    expect(samples[1]?.group).toBe(samples[0]?.group);
    expect(samples[2]?.group).not.toBe(samples[0]?.group);
  });

  test('runs without any words are not one group', async () => {
    const empty = { task: ' ', turns: [] };
    const { samples } = await splitOf([sampleOf('a', empty), sampleOf('b', empty)]);
    expect(samples[0]?.group).not.toBe(samples[1]?.group);
  });

  test('a family is one group though its parent is not there any more', async () => {
    const child = (id: string) =>
      sampleOf(id, { provenance: { format: 'test', source: id, parent: 'gone' } });
    const { samples } = await splitOf([child('a'), child('b')]);
    expect(samples[0]?.group).toBe(samples[1]?.group);
  });

  test('a published test split stays as it is; training runs of its groups are dropped, and told', async () => {
    const samples = [
      sampleOf('tested', { task: 'Shared' }),
      sampleOf('leak', { task: 'shared' }),
      sampleOf('other'),
    ];
    const { samples: placed, decisions, found } = await splitOf(samples, { published: new Set(['tested']) });
    expect(placed.map(({ id, split }) => [id, split])).toEqual([
      ['tested', 'test'],
      ['other', 'train'],
    ]);
    expect(decisions.map(({ id, verdict }) => [id, verdict])).toEqual([
      ['tested', 'keep'],
      ['leak', 'drop'],
      ['other', 'keep'],
    ]);
    expect(decisions[1]?.reason).toMatch(/^of one group \(\w{32}\) with published test runs$/);
    expect(found).toMatchObject({
      samples: 3,
      groups: 2,
      largestGroup: 2,
      train: 1,
      test: 1,
      dropped: 1,
      straddling: 1,
    });
  });

  test('a published split of which no run is there, as after scrub, is refused: all would become training data', async () => {
    const published = new Set(['other', 'another']);
    await expect(splitOf([sampleOf('a')], { published })).rejects.toThrow(
      'none of the 2 published test runs is among these 1. Put split before scrub',
    );
  });

  test('its options tell one published split from another', () => {
    const optionsOf = (...ids: string[]) => splitStage({ published: new Set(ids) }).options;
    expect(optionsOf('a', 'b')).toEqual(optionsOf('b', 'a'));
    expect(optionsOf('a', 'b')).not.toEqual(optionsOf('a', 'c'));
  });

  test.each([{ testShare: 0 }, { testShare: 1 }, { testShare: Number.NaN }, { seed: 0.5 }])(
    'refuses %o',
    (options) => expect(() => splitStage(options)).toThrow(/\[agentforesight\] \[split\]/),
  );

  test('a sample that it has not seen is a fault', async () => {
    const { signal } = new AbortController();
    const stage = splitStage();
    await expect(stage.process(sampleOf('a'), signal)).rejects.toThrow('has not seen the corpus');
    await runStage(stage, [sampleOf('a')]);
    await expect(stage.process(sampleOf('b'), signal)).rejects.toThrow('sample b was not there');
  });
});

const folder = dataFolder('aftraj');

describe.skipIf(folder === undefined)('AFTraj', () => {
  const samples = async () => {
    const files = ['aftraj_safe.parquet', 'aftraj_unsafe.parquet'].map((name) =>
      join(folder as string, name),
    );
    return (await Promise.all(files.map((file) => collect(readAfTraj(file))))).flat().map(asSample);
  };

  test('15 % are held out, in each domain and kind of label', async () => {
    const { found } = await splitOf(await samples());
    expect(found).toMatchObject({ samples: 2276, groups: 1381, largestGroup: 12, test: 344 });
    const { strata } = found as unknown as { strata: Record<string, { train: number; test: number }> };
    expect(Object.keys(strata)).toHaveLength(8);
    for (const { train, test: tested } of Object.values(strata))
      expect(Math.abs(tested - 0.15 * (train + tested))).toBeLessThan(2);
  });

  test('the published test split shares 19 groups with 127 training rows, which are dropped', async () => {
    const published = await readAfTrajTestSplit(join(folder as string, 'aftraj_safe.parquet'));
    const { samples: kept, found } = await splitOf(await samples(), { published });
    expect(found).toMatchObject({ train: 1817, test: 332, dropped: 127, straddling: 19 });
    expect(new Set(kept.filter(({ split }) => split === 'test').map(({ id }) => id))).toEqual(published);
  });
});
