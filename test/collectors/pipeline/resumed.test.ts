import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { LimitExceeded } from '../../../collectors/limit-exceeded.js';
import { samplesIn } from '../../../collectors/pipeline/results-file.js';
import { type PipelineOptions, runPipeline } from '../../../collectors/pipeline.js';
import type { Stage } from '../../../collectors/stage.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { folderBytes } from '../support/folder-bytes.js';
import { numberingStage, SAMPLES, smallPipeline, sortingStage, sourceOf } from '../support/small-pipeline.js';

const KEPT = 48;
const HANDED_ON = 55;

/** Runs the small pipeline and tells what each stage was given, and which steps were passed over. */
async function run(folder: string, changes: Partial<PipelineOptions> = {}, seed = 1) {
  const processed = { sorting: [] as string[], numbering: [] as string[] };
  const reused: string[] = [];
  const manifests = await runPipeline({
    ...smallPipeline(folder),
    stages: [
      sortingStage({ options: { seed }, onProcess: ({ id }) => processed.sorting.push(id) }),
      numberingStage({ onProcess: ({ id }) => processed.numbering.push(id) }),
    ],
    onStep: ({ name }, isReused) => isReused && reused.push(name),
    ...changes,
  });
  return { processed, reused, manifests };
}

describe('a pipeline', () => {
  it('leaves a line for every sample of the input, in its order, and manifests that count them', async () => {
    const folder = temporaryFolder();
    const { manifests } = await run(folder);
    expect(manifests.map(({ name, counts, found }) => [name, counts, found])).toEqual([
      ['ingest', { in: SAMPLES, kept: SAMPLES, dropped: 0, undecided: 0, out: SAMPLES }, { read: SAMPLES }],
      ['sorting', { in: SAMPLES, kept: KEPT, dropped: 12, undecided: 0, out: HANDED_ON }, undefined],
      ['numbering', { in: 55, kept: 55, dropped: 0, undecided: 0, out: 55 }, { samples: HANDED_ON }],
      ['export-ids', undefined, { lines: HANDED_ON }],
    ]);
    expect(manifests[1]?.decisions).toEqual([
      { rule: 'fifth', verdict: 'drop', reason: 'divisible', count: 12 },
      { rule: 'fifth', verdict: 'keep', reason: 'seed 1', count: 48 },
    ]);
    const ids = (await Array.fromAsync(samplesIn(path.join(folder, '02-sorting.jsonl')))).map(({ id }) => id);
    const expected = Array.from({ length: SAMPLES }, (_, at) => at)
      .filter((at) => at % 5 !== 0)
      .flatMap((at) => (at % 7 === 0 ? [`run-${at}`, `run-${at}-again`] : [`run-${at}`]));
    expect(ids).toEqual(expected);
  });

  it('that is finished is not run again', async () => {
    const folder = temporaryFolder();
    await run(folder);
    const before = folderBytes(folder);
    const { processed, reused } = await run(folder);
    expect(processed).toEqual({ sorting: [], numbering: [] });
    expect(reused).toEqual(['ingest', 'sorting', 'numbering']);
    expect(folderBytes(folder)).toEqual(before);
  });

  it('begins anew from the stage whose options have changed', async () => {
    const folder = temporaryFolder();
    await run(folder);
    const { processed, reused } = await run(folder, {}, 2);
    expect(reused).toEqual(['ingest']);
    expect(processed.sorting).toHaveLength(SAMPLES);
    expect(processed.numbering).toHaveLength(HANDED_ON);
  });

  it('begins anew when the source has other content, and leaves nothing of what is no more', async () => {
    const folder = temporaryFolder();
    await run(folder);
    const { reused } = await run(folder, {
      source: sourceOf(SAMPLES, 'Said otherwise. '),
      stages: [numberingStage()],
    });
    expect(reused).toEqual([]);
    const names = Object.keys(folderBytes(folder)).filter((name) => /^\d/.test(name));
    expect(names).toEqual([
      '01-ingest.json',
      '01-ingest.jsonl',
      '02-numbering.json',
      '02-numbering.jsonl',
      '03-export-ids.json',
    ]);
  });

  it('goes on after the last whole line, wherever the file is torn', async () => {
    const folder = temporaryFolder();
    await run(folder);
    const whole = folderBytes(folder);
    const file = path.join(folder, '02-sorting.jsonl');
    const text = fs.readFileSync(file);
    const lines = text.toString().split('\n');
    const lastLine = Buffer.byteLength(lines.at(-2) as string) + 1;
    for (const [cut, again] of [
      [1, 1],
      [lastLine, 1],
      [lastLine + 1, 2],
      [text.length, SAMPLES],
    ] as const) {
      fs.truncateSync(file, text.length - cut);
      const { processed } = await run(folder);
      expect(processed.sorting).toHaveLength(again);
      expect(folderBytes(folder)).toEqual(whole);
    }
  });

  it('takes a line that a crash of the machine has left empty for torn', async () => {
    const folder = temporaryFolder();
    await run(folder);
    const whole = folderBytes(folder);
    const file = path.join(folder, '03-numbering.jsonl');
    fs.truncateSync(file, fs.statSync(file).size - 200_000);
    fs.appendFileSync(
      file,
      Buffer.concat([Buffer.alloc(4_096), Buffer.from('\n{"samples":[],"decisions":[]}\n')]),
    );
    await run(folder);
    expect(folderBytes(folder)).toEqual(whole);
  });

  it('stopped by its signal, rejects with the reason, and is taken up', async () => {
    const undisturbed = temporaryFolder();
    await run(undisturbed);
    const folder = temporaryFolder();
    const stop = new AbortController();
    const seen: string[] = [];
    const onProcess = ({ id }: { id: string }) => {
      seen.push(id);
      if (seen.length === 30) stop.abort(new Error('stopped'));
    };
    const stages = [sortingStage({ onProcess }), numberingStage()];
    await expect(runPipeline(smallPipeline(folder, { stages, signal: stop.signal }))).rejects.toThrow(
      'stopped',
    );
    expect(fs.readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([]);
    const { processed } = await run(folder);
    expect(processed.sorting.length).toBeLessThan(SAMPLES - 20);
    expect(folderBytes(folder)).toEqual(folderBytes(undisturbed));
  });

  it('whose stage throws stops there, with what was done before kept', async () => {
    const folder = temporaryFolder();
    const onProcess = ({ id }: { id: string }) => {
      if (id === 'run-40') throw new Error('no memory');
    };
    const stages = [sortingStage({ onProcess }), numberingStage()];
    await expect(runPipeline(smallPipeline(folder, { stages }))).rejects.toThrow('no memory');
    const { processed } = await run(folder);
    expect(processed.sorting[0]).toBe('run-40');
    expect(processed.sorting).toHaveLength(SAMPLES - 40);
  });

  it('whose data is too bad says in the manifest what was found, every time', async () => {
    const folder = temporaryFolder();
    const probe: Stage = {
      name: 'probe',
      options: {},
      prepare: () => Promise.reject(new LimitExceeded('labels can be guessed', { exactF1: 71 })),
      process: async (sample) => ({ samples: [sample], decisions: [] }),
    };
    for (let times = 0; times < 2; times++) {
      await expect(runPipeline(smallPipeline(folder, { stages: [probe] }))).rejects.toThrow(LimitExceeded);
      const manifest = JSON.parse(fs.readFileSync(path.join(folder, '02-probe.json'), 'utf8'));
      expect(manifest).toMatchObject({ done: false, found: { exactF1: 71 } });
    }
  });

  it('refuses a stage whose name is no file name, and a folder in which other files have its names', async () => {
    const folder = temporaryFolder();
    const named: Stage = { ...numberingStage(), name: '../x' };
    await expect(runPipeline(smallPipeline(folder, { stages: [named] }))).rejects.toThrow('kebab-case');
    fs.writeFileSync(path.join(folder, '01-ingest.json'), '{"mine":true}');
    await expect(run(folder)).rejects.toThrow('01-ingest.json: is no manifest of a stage');
  });
});
