import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { benchRuns, sharesGroupWithTest } from '../../bench/datasets.js';
import { exportAfTraj } from '../../collectors/exporters/aftraj.js';
import { exportAtif } from '../../collectors/exporters/atif.js';
import { recordedRuns } from '../../collectors/importers/recorded-runs.js';
import type { Sample } from '../../collectors/sample.js';
import { collect } from '../collectors/support/collect.js';
import { dataFolder } from '../collectors/support/data-folder.js';
import { inputErrorOf } from '../collectors/support/input-error.js';
import { asSample, sampleOf, streamed } from '../collectors/support/samples.js';
import { unsafeSample } from '../collectors/support/unsafe-sample.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const safe = (id: string, changes: Partial<Sample> = {}) =>
  sampleOf(id, { label: { kind: 'safe' }, ...changes });

/** A corpus of our own making, in AFTraj's form. */
async function afTraj(...samples: readonly Sample[]): Promise<string> {
  const folder = temporaryFolder();
  await exportAfTraj(streamed(samples), folder);
  return folder;
}

async function atif(...samples: readonly Sample[]): Promise<string> {
  const file = path.join(temporaryFolder(), 'atif.jsonl');
  await exportAtif(streamed(samples), file);
  return file;
}

describe('runs of a corpus of our own', () => {
  const samples = [
    safe('a', { split: 'test' }),
    safe('b', { split: 'train' }),
    unsafeSample('c', 2, { split: 'train' }),
    unsafeSample('d', 2, { split: 'test', task: 'The task of b' }),
  ];

  it('in the form of AFTraj have label, dataset and split', async () => {
    const { runs, unlabelled, repeated } = await benchRuns([await afTraj(...samples)]);
    expect({ unlabelled, repeated }).toEqual({ unlabelled: 0, repeated: 0 });
    expect(runs.map(({ run, dataset, split }) => [run.runId, run.label.kind, dataset, split])).toEqual([
      ['a', 'safe', 'aftraj', 'test'],
      ['b', 'safe', 'aftraj', 'train'],
      ['c', 'unsafe', 'aftraj', 'train'],
      ['d', 'unsafe', 'aftraj', 'test'],
    ]);
  });

  it('in ATIF too', async () => {
    const { runs } = await benchRuns([await atif(...samples)]);
    expect(runs.map(({ run, dataset, split }) => [run.runId, run.label.kind, dataset, split])).toEqual([
      ['a', 'safe', 'atif', 'test'],
      ['b', 'safe', 'atif', 'train'],
      ['c', 'unsafe', 'atif', 'train'],
      ['d', 'unsafe', 'atif', 'test'],
    ]);
  });

  it('of one task are one group across the split, and the training run among them is told apart', async () => {
    const corpus = await benchRuns([await afTraj(...samples)], { split: 'train' });
    expect(corpus.runs.map(({ run }) => run.runId)).toEqual(['b', 'c']);
    expect(corpus.runs.map((run) => sharesGroupWithTest(run, corpus))).toEqual([true, false]);
    const tested = await benchRuns([await afTraj(...samples)], { split: 'test' });
    expect(tested.runs.map((run) => sharesGroupWithTest(run, tested))).toEqual([false, false]);
    expect(tested.runs.map(({ group }) => group)).toContain(corpus.runs[0]?.group);
  });

  it('are tied by a group that only the exporter knew of', async () => {
    const file = await atif(
      safe('a', { group: 'same' }),
      safe('b', { group: 'same' }),
      safe('c', { group: 'other' }),
    );
    const { runs } = await benchRuns([file]);
    const [a, b, c] = runs.map(({ group }) => group);
    expect(a).toBe(b);
    expect(a).not.toBe(c);
  });

  it('are tied by a run without a label, which is counted and left out', async () => {
    const [one, other] = ['The task.', 'Another task.'];
    const between = sampleOf('between', {
      task: one,
      turns: [{ agent: 'user', kind: 'user', content: other }],
    });
    const { runs, unlabelled } = await benchRuns([
      await atif(safe('a', { task: one }), between, safe('b', { task: other })),
    ]);
    expect(unlabelled).toBe(1);
    expect(runs.map(({ run }) => run.runId)).toEqual(['a', 'b']);
    expect(runs[0]?.group).toBe(runs[1]?.group);
  });

  it('are read once, and those of one id that differ are told apart', async () => {
    const file = await atif(safe('a'), safe('b'));
    const other = await atif(safe('a', { task: 'Something else' }));
    const { runs, repeated } = await benchRuns([file, file, other]);
    expect(repeated).toBe(2);
    expect(runs.map(({ run }) => run.runId)).toEqual(['a', 'b', 'a#2']);
  });
});

describe('what is no evidence', () => {
  it('is refused where no run has a label', async () => {
    const file = await atif(sampleOf('a'), sampleOf('b'));
    const error = await inputErrorOf(benchRuns([file]));
    expect(error.message).toContain(`${file}: none of the 2 runs has a label`);
  });

  it('is refused where no run is known to be of the split', async () => {
    const file = await atif(safe('a'));
    const error = await inputErrorOf(benchRuns([file], { split: 'test' }));
    expect(error.message).toContain('none of the 1 labelled runs is known to be of the test split');
  });

  it('is passed over where the caller wants to hear of it', async () => {
    const bad = path.join(temporaryFolder(), 'bad.json');
    writeFileSync(bad, '{"no": "run"}');
    const good = await atif(safe('a'));
    const faults: string[] = [];
    const { runs } = await benchRuns([bad, good], { onBadFile: ({ message }) => faults.push(message) });
    expect(runs).toHaveLength(1);
    expect(faults).toEqual([expect.stringContaining('bad.json')]);
    await inputErrorOf(benchRuns([bad, good]));
  });

  it('is not read on when it is stopped', async () => {
    const file = await atif(safe('a'), safe('b'));
    const stopping = new AbortController();
    const seen: number[] = [];
    const work = benchRuns([file], {
      signal: stopping.signal,
      onRead: (runs) => {
        seen.push(runs);
        stopping.abort();
      },
    });
    await expect(work).rejects.toThrow('aborted');
    expect(seen).toEqual([1]);
  });
});

describe('runs of our own log', () => {
  const common = { v: 1, at: 1 } as const;
  const run = (runId: string, status?: 'completed' | 'failed') => [
    {
      ...{ type: 'run', ...common, runId, task: `Task of ${runId}`, tools: [], framework: 'test' },
      ...{ auditor: 'x', onAlarm: 'observe', onAuditFailure: 'proceed' },
    },
    ...['user', 'agent'].map((kind, index) => ({
      ...{ type: 'turn', ...common, runId, due: true },
      turn: {
        index,
        id: `${runId}-${index}`,
        agent: kind,
        kind,
        content: `${runId} ${index}`,
        path: [],
        at: 1,
      },
    })),
    ...(status ? [{ type: 'close', ...common, runId, outcome: { status } }] : []),
  ];
  const feedback = (runId: string, value: 0 | 1, at = 1) => ({
    ...{ type: 'feedback', v: 1, runId, at, value, by: 'thumbs' },
  });

  async function log(...records: readonly object[]): Promise<string> {
    const file = path.join(temporaryFolder(), 'log.jsonl');
    writeFileSync(file, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
    return file;
  }

  it('are safe where they went to their end and were found good, and else say nothing', async () => {
    const file = await log(
      ...run('good', 'completed'),
      ...run('bad', 'completed'),
      ...run('silent', 'completed'),
      ...run('failed', 'failed'),
      ...run('cut off'),
      ...run('good at first', 'completed'),
      feedback('good', 1),
      feedback('bad', 0),
      feedback('failed', 1),
      feedback('cut off', 1),
      feedback('good at first', 1, 1),
      feedback('good at first', 0, 2),
    );
    const { runs, unlabelled } = await benchRuns([file]);
    expect(runs.map(({ run: { runId, label }, dataset }) => [runId, label, dataset])).toEqual([
      ['good', { kind: 'safe' }, 'run-log'],
    ]);
    expect(unlabelled).toBe(5);
  });
});

const aftraj = dataFolder('aftraj');
describe.skipIf(aftraj === undefined)('AFTraj', () => {
  it('has its published split, and 127 training runs that share a task or a history with a test run', async () => {
    const corpus = await benchRuns([aftraj as string]);
    const of = (split: string, kind: string) =>
      corpus.runs.filter((bench) => bench.split === split && bench.run.label.kind === kind).length;
    expect([of('train', 'safe'), of('train', 'unsafe'), of('test', 'safe'), of('test', 'unsafe')]).toEqual([
      993, 951, 169, 163,
    ]);
    expect(corpus.runs.filter((bench) => sharesGroupWithTest(bench, corpus))).toHaveLength(127);
    expect(new Set(corpus.runs.map(({ run }) => run.runId)).size).toBe(2_276);
  });

  it('comes back from ATIF with every label on the same words', async () => {
    const file = path.join(aftraj as string, 'aftraj_unsafe.parquet');
    const published = await collect(recordedRuns(file, {}));
    const exported = await benchRuns([await atif(...published.map(asSample))]);
    expect(exported.runs).toHaveLength(published.length);
    const labelled = (run: (typeof published)[number]) => [
      run.runId,
      run.label,
      run.turns.length,
      run.label?.kind === 'unsafe' && run.turns[run.label.step]?.content,
    ];
    expect(exported.runs.map(({ run }) => labelled(run))).toEqual(published.map(labelled));
  });
});

const whoAndWhen = dataFolder('who-and-when');
it.skipIf(whoAndWhen === undefined)(
  'Who&When has two halves, whose duplicate histories are one group',
  async () => {
    const { runs } = await benchRuns([whoAndWhen as string]);
    const half = (name: string) => runs.filter(({ dataset }) => dataset === name);
    expect([half('who-and-when-ag').length, half('who-and-when-hc').length]).toEqual([126, 58]);
    const groupOf = (runId: string) => runs.find(({ run }) => run.runId === runId)?.group;
    for (const [one, other] of [
      ['algorithm-generated/117', 'algorithm-generated/121'],
      ['algorithm-generated/22', 'algorithm-generated/51'],
    ] as const)
      expect(groupOf(one)).toBe(groupOf(other));
    expect(new Set(runs.map(({ group }) => group)).size).toBeLessThan(184 - 2);
    expect(runs.every(({ split }) => split === undefined)).toBe(true);
  },
);
