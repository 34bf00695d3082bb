import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { runPipeline } from '../../../collectors/pipeline.js';
import type { Stage } from '../../../collectors/stage.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { folderBytes } from '../support/folder-bytes.js';
import { numberingStage, SAMPLES, smallPipeline } from '../support/small-pipeline.js';

/** Cannot decide about every tenth run while its judge is down. */
function judgedStage(judge: { isDown: boolean }, asked: string[] = []): Stage {
  return {
    name: 'judged',
    options: {},
    concurrency: 4,
    async process(sample) {
      asked.push(sample.id);
      const waits = judge.isDown && sample.id.endsWith('0');
      const verdict = waits ? 'undecided' : 'keep';
      const reason = waits ? 'timeout' : 'fine';
      return {
        samples: waits ? [] : [sample],
        decisions: [{ id: sample.id, rule: 'judge', verdict, reason }],
      };
    },
  };
}

const run = (folder: string, judge: { isDown: boolean }, retryUndecided = false, asked: string[] = []) =>
  runPipeline(
    smallPipeline(folder, { stages: [judgedStage(judge, asked), numberingStage()], retryUndecided }),
  );

describe('samples about which nothing could be decided', () => {
  it('wait, are counted, and are not asked about again by themselves', async () => {
    const folder = temporaryFolder();
    const [, judged, numbered] = await run(folder, { isDown: true });
    expect(judged?.counts).toEqual({ in: SAMPLES, kept: 54, dropped: 0, undecided: 6, out: 54 });
    expect(judged?.decisions).toContainEqual({
      rule: 'judge',
      verdict: 'undecided',
      reason: 'timeout',
      count: 6,
    });
    expect(numbered?.counts?.in).toBe(54);
    const asked: string[] = [];
    await run(folder, { isDown: false }, false, asked);
    expect(asked).toEqual([]);
  });

  it('are asked about again on demand, alone, and all ends as if nothing had failed', async () => {
    const undisturbed = temporaryFolder();
    await run(undisturbed, { isDown: false });
    const folder = temporaryFolder();
    await run(folder, { isDown: true });
    const asked: string[] = [];
    await run(folder, { isDown: false }, true, asked);
    expect(asked).toEqual(['run-0', 'run-10', 'run-20', 'run-30', 'run-40', 'run-50']);
    expect(folderBytes(folder)).toEqual(folderBytes(undisturbed));
  });

  it('that still cannot be decided change nothing', async () => {
    const folder = temporaryFolder();
    await run(folder, { isDown: true });
    const before = folderBytes(folder);
    const reused: string[] = [];
    await runPipeline(
      smallPipeline(folder, {
        stages: [judgedStage({ isDown: true }), numberingStage()],
        retryUndecided: true,
        onStep: ({ name }, isReused) => isReused && reused.push(name),
      }),
    );
    expect(folderBytes(folder)).toEqual(before);
    expect(reused).toEqual(['ingest', 'numbering']);
  });

  it('of a stage that was stopped are asked about again, too, but none of those after it', async () => {
    const folder = temporaryFolder();
    const judge = { isDown: true };
    await run(folder, judge);
    const file = path.join(folder, '02-judged.jsonl');
    const lines = fs.readFileSync(file, 'utf8').split('\n');
    fs.writeFileSync(file, `${lines.slice(0, 35).join('\n')}\n`);
    const asked: string[] = [];
    await run(folder, judge, true, asked);
    const rest = Array.from({ length: 25 }, (_, at) => `run-${35 + at}`);
    expect(asked).toEqual([...rest, 'run-0', 'run-10', 'run-20', 'run-30']);
  });
});
