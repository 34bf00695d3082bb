import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { exportAfTraj } from '../../../collectors/exporters/aftraj.js';
import { writeJsonLines } from '../../../collectors/exporters/json-lines.js';
import { exportPreferences } from '../../../collectors/exporters/preferences.js';
import { exportVerl } from '../../../collectors/exporters/verl.js';
import { readAfTraj } from '../../../collectors/importers/aftraj.js';
import type { Sample } from '../../../collectors/sample.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { collect } from '../support/collect.js';
import { sampleOf, streamed } from '../support/samples.js';
import { unsafeSample } from '../support/unsafe-sample.js';

const readParquet = async (path: string) => parquetReadObjects({ file: await asyncBufferFromFile(path) });

const linesOf = (path: string) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

describe('exportVerl', () => {
  const samples = [
    unsafeSample('a', 2, { split: 'train', group: 'g' }),
    sampleOf('b', { label: { kind: 'safe' }, split: 'test' }),
    sampleOf('c'),
  ];

  test('a row is a prefix: prompt, the right verdict as JSON, and what a reward needs', async () => {
    const folder = temporaryFolder();
    expect(await exportVerl(streamed(samples), folder)).toEqual({ train: 5, test: 2 });
    const rows = await readParquet(join(folder, 'train.parquet'));
    expect(Object.keys(rows[0] ?? {})).toEqual([
      'data_source',
      'prompt',
      'ability',
      'reward_model',
      'extra_info',
    ]);
    expect(rows.map(({ data_source }) => data_source)).toEqual([
      'agentforesight/safe',
      'agentforesight/safe',
      'agentforesight/alarm',
      'agentforesight/alarm',
      'agentforesight/alarm',
    ]);
    expect(rows[1]?.['reward_model']).toEqual({ style: 'rule', ground_truth: '"SAFE"' });
    expect(rows[2]).toMatchObject({
      ability: 'audit',
      reward_model: { style: 'rule', ground_truth: '{"step":2,"agent":"adder"}' },
      extra_info: {
        index: 2n,
        sample_id: 'a',
        step: 2n,
        agents: '["user","adder"]',
        domain: 'math',
        source: 'natural',
        group: 'g',
      },
    });
    expect(rows[2]?.['prompt']).toMatchObject([{ role: 'system' }, { role: 'user' }]);
    expect(
      (await readParquet(join(folder, 'test.parquet'))).map(({ extra_info }) => extra_info.sample_id),
    ).toEqual(['b', 'b']);
  });

  test('no prompt holds the label, the reference or the id', async () => {
    const folder = temporaryFolder();
    await exportVerl(streamed([{ ...unsafeSample('x'), id: 'unsafe_injected_x' }]), folder);
    const prompts = (await readParquet(join(folder, 'train.parquet'))).map(({ prompt }) => prompt);
    expect(prompts).toHaveLength(5);
    expect(JSON.stringify(prompts)).not.toMatch(/THE (REASON|ANSWER)|unsafe_injected/);
  });

  test('only the prefixes asked for, under the name asked for', async () => {
    const folder = temporaryFolder();
    await exportVerl(streamed(samples), folder, { which: 'boundary', dataSource: 'mine' });
    const rows = await readParquet(join(folder, 'train.parquet'));
    expect(rows.map(({ data_source }) => data_source)).toEqual(['mine/safe', 'mine/alarm']);
    expect(await readParquet(join(folder, 'test.parquet'))).toEqual([]);
  });
});

describe('exportPreferences', () => {
  test('a line is a pair in messages; held out samples are left out', async () => {
    const prompt = [{ role: 'user', content: 'Judge.' }] as const;
    const pair = { kind: 'at', step: 2, prompt, chosen: 'C', rejected: 'R' } as const;
    const path = join(temporaryFolder(), 'pairs.jsonl');
    const samples: Sample[] = [
      unsafeSample('a', 2, { pairs: [pair, pair], group: 'g', split: 'train' }),
      unsafeSample('b', 2, { pairs: [pair], split: 'test' }),
      unsafeSample('c'),
    ];
    expect(await exportPreferences(streamed(samples), path)).toBe(2);
    expect(linesOf(path)[1]).toEqual({
      prompt,
      chosen: [{ role: 'assistant', content: 'C' }],
      rejected: [{ role: 'assistant', content: 'R' }],
      kind: 'at',
      sample_id: 'a',
      step: 2,
      group: 'g',
    });
  });
});

describe('exportAfTraj', () => {
  test('what it writes of any run is read back the same', async () => {
    const folder = temporaryFolder();
    const turns: Sample['turns'] = [
      { agent: 'user', kind: 'user', content: '' },
      {
        agent: 'añb 𝔘',
        kind: 'agent',
        content: 'x\u0000y',
        thought: ' ',
        toolCalls: [{ id: 'c', name: 'f', args: { a: [1, null] } }],
      },
      { agent: 'environment', kind: 'tool', content: '[]' },
      {
        agent: 'a',
        kind: 'agent',
        content: '',
        toolCalls: [{ id: '', name: 'action', args: 'f(' }],
        action: 'f(',
      },
    ];
    const label = { kind: 'unsafe', step: 1, agent: 'a' } as const;
    const samples = [
      unsafeSample('bare', 1, { turns, label, reference: undefined, tools: [{ name: 't' }] }),
      sampleOf('unlabelled'),
    ];
    expect(await exportAfTraj(streamed(samples), folder)).toEqual({
      safe: 0,
      unsafe: 1,
      test: 0,
      unlabelled: 1,
    });
    const [run] = await collect(readAfTraj(join(folder, 'aftraj_unsafe.parquet')));
    expect(run).toMatchObject({ runId: 'bare', turns, label, tools: [{ name: 't' }] });
    expect(run?.reference).toBeUndefined();
    expect(await readParquet(join(folder, 'aftraj_safe.parquet'))).toEqual([]);
  });

  test('rows come in groups, of which one is in memory', async () => {
    const folder = temporaryFolder();
    const safe = Array.from({ length: 2_500 }, (_, at) => sampleOf(`${at}`, { label: { kind: 'safe' } }));
    const large = ['x', 'y', 'z'].map((id) => unsafeSample(id, 2, { reference: id.repeat(2 ** 24) }));
    await exportAfTraj(streamed([...safe, ...large]), folder);
    const groupsOf = async (name: string) =>
      (await parquetMetadataAsync(await asyncBufferFromFile(join(folder, name)))).row_groups.map(
        ({ num_rows }) => num_rows,
      );
    expect(await groupsOf('aftraj_safe.parquet')).toEqual([1000n, 1000n, 500n]);
    expect(await groupsOf('aftraj_unsafe.parquet')).toEqual([2n, 1n]);
    expect(
      (await collect(readAfTraj(join(folder, 'aftraj_safe.parquet')))).map(({ runId }) => runId),
    ).toEqual(safe.map(({ id }) => id));
  });

  test('when the samples break off, nothing is left behind, and what was there stays', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'aftraj_safe.parquet'), 'before');
    async function* breaking() {
      yield sampleOf('a', { label: { kind: 'safe' } });
      throw new Error('broken');
    }
    await expect(exportAfTraj(breaking(), folder)).rejects.toThrow('broken');
    expect(readdirSync(folder)).toEqual(['aftraj_safe.parquet']);
    expect(readFileSync(join(folder, 'aftraj_safe.parquet'), 'utf8')).toBe('before');
  });
});

describe('writeJsonLines', () => {
  test('more than a block, in order, under its name only when it is whole', async () => {
    const path = join(temporaryFolder(), 'deep', 'lines.jsonl');
    async function* lines() {
      for (let at = 0; at < 5; at++) {
        expect(existsSync(path)).toBe(false);
        yield { at, text: 'é'.repeat(2 ** 19) };
      }
    }
    expect(await writeJsonLines(path, lines())).toBe(5);
    expect(linesOf(path).map(({ at, text }) => [at, text.length])).toEqual(
      [0, 1, 2, 3, 4].map((at) => [at, 2 ** 19]),
    );
  });
});
