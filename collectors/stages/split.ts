import { hash } from 'node:crypto';
import { type JsonValue, SetupError } from '../../core/index.js';
import type { Sample } from '../sample.js';
import { groupKeys, sampleKey } from '../split/group-keys.js';
import { type Group, holdOut } from '../split/hold-out.js';
import { KeyGroups } from '../split/key-groups.js';
import type { Stage, StageDecision, StageResult } from '../stage.js';

export interface SplitOptions {
  /** Of the runs, to be held out for testing. Default: 0.15. */
  readonly testShare?: number | undefined;
  /** Default: 1. */
  readonly seed?: number | undefined;
  /**
   * Ids of a test split that is kept as it was published, in place of one of our own, so that scores can be compared. What
   * is not in it is training data, but for runs of a test run's group, which are dropped: they would give the test away.
   */
  readonly published?: ReadonlySet<string> | undefined;
}

/**
 * Says which runs belong together, and which of them are held out. Runs of one group never part.
 * @throws SetupError on an option out of range
 */
export function splitStage(options: SplitOptions = {}): Stage {
  const { testShare = 0.15, seed = 1, published } = options;
  if (!(testShare > 0 && testShare < 1))
    throw new SetupError('split', `testShare is ${testShare}`, 'Give a share between 0 and 1, such as 0.15');
  if (!Number.isSafeInteger(seed)) throw new SetupError('split', `seed is ${seed}`, 'Give a whole number');
  let corpus: Corpus | undefined;
  return {
    name: 'split',
    options: published ? { published: digestOf(published) } : { testShare, seed },
    async prepare(samples, signal) {
      const groups = new KeyGroups();
      const seen: SeenSample[] = [];
      for await (const sample of samples) {
        signal.throwIfAborted();
        groups.join(groupKeys(sample));
        const isPublished = published?.has(sample.id) ?? false;
        seen.push({ key: sampleKey(sample.id), stratum: stratumOf(sample), isPublished });
      }
      // After scrub, which replaces ids, all of the test split would become training data without a word.
      if (published?.size && seen.length > 0 && !seen.some(({ isPublished }) => isPublished))
        throw new SetupError(
          'split',
          `none of the ${published.size} published test runs is among these ${seen.length}`,
          'Put split before scrub, which replaces ids, or leave published out',
        );
      const members = groupsOf(seen, groups);
      const tested = published
        ? new Set(members.filter(({ published: count }) => count > 0).map(({ name }) => name))
        : holdOut(members, testShare, seed);
      corpus = { groups, tested };
      return summary(seen, members, corpus, published);
    },
    async process(sample) {
      if (!corpus) throw new Error('the split stage has not seen the corpus yet');
      return placed(sample, corpus, published);
    },
  };
}

/** What is kept of a sample while the corpus is read. */
interface SeenSample {
  readonly key: string;
  readonly stratum: string;
  readonly isPublished: boolean;
}

interface CountedGroup extends Group {
  readonly runs: Map<string, number>;
  size: number;
  /** Runs of the published test split. */
  published: number;
}

interface Corpus {
  readonly groups: KeyGroups;
  /** Names of the groups that are tested on. */
  readonly tested: ReadonlySet<string>;
}

function groupsOf(seen: readonly SeenSample[], groups: KeyGroups): readonly CountedGroup[] {
  const byName = new Map<string, CountedGroup>();
  for (const { key, stratum, isPublished } of seen) {
    const name = groups.nameOf(key) as string;
    const group = byName.get(name) ?? { name, runs: new Map<string, number>(), size: 0, published: 0 };
    byName.set(name, group);
    group.runs.set(stratum, (group.runs.get(stratum) ?? 0) + 1);
    group.size++;
    if (isPublished) group.published++;
  }
  return [...byName.values()];
}

function placed(sample: Sample, { groups, tested }: Corpus, published?: ReadonlySet<string>): StageResult {
  const group = groups.nameOf(sampleKey(sample.id));
  if (group === undefined) throw new Error(`sample ${sample.id} was not there when the corpus was read`);
  const isTested = tested.has(group);
  const decision = (verdict: 'keep' | 'drop', reason: string): StageDecision => ({
    id: sample.id,
    rule: 'split',
    verdict,
    reason,
  });
  if (isTested && published && !published.has(sample.id))
    return { samples: [], decisions: [decision('drop', `of one group (${group}) with published test runs`)] };
  const split = isTested ? 'test' : 'train';
  const why = published ? `${split}, as published` : split;
  return { samples: [{ ...sample, group, split }], decisions: [decision('keep', why)] };
}

function summary(
  seen: readonly SeenSample[],
  members: readonly CountedGroup[],
  { groups, tested }: Corpus,
  published: ReadonlySet<string> | undefined,
): JsonValue {
  const strata = new Map<string, { train: number; test: number; dropped: number }>();
  for (const { key, stratum, isPublished } of seen) {
    const counts = strata.get(stratum) ?? { train: 0, test: 0, dropped: 0 };
    strata.set(stratum, counts);
    const isTested = tested.has(groups.nameOf(key) as string);
    if (!isTested) counts.train++;
    else if (published && !isPublished) counts.dropped++;
    else counts.test++;
  }
  const total = (side: 'train' | 'test' | 'dropped') =>
    [...strata.values()].reduce((sum, counts) => sum + counts[side], 0);
  return {
    samples: seen.length,
    groups: members.length,
    largestGroup: members.reduce((largest, { size }) => Math.max(largest, size), 0),
    train: total('train'),
    test: total('test'),
    ...(published && {
      dropped: total('dropped'),
      straddling: members.filter(({ size, published: count }) => count > 0 && count < size).length,
    }),
    strata: Object.fromEntries([...strata].sort(([one], [other]) => (one < other ? -1 : 1))),
  };
}

/** @example "math, injected" */
function stratumOf({ domain = 'no domain', label }: Sample): string {
  const kind = label?.kind === 'unsafe' ? (label.source ?? 'unsafe') : (label?.kind ?? 'unlabelled');
  return `${domain}, ${kind}`;
}

function digestOf(ids: ReadonlySet<string>): JsonValue {
  return { runs: ids.size, sha256: hash('sha256', [...ids].sort().join('\n')) };
}
