import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Feedback } from '../../core/feedback.js';
import { jsonlRecorder } from '../../core/recorders/jsonl-recorder.js';
import { readFeedback } from '../../core/run-log/read-feedback.js';
import { readRuns } from '../../core/run-log/read-runs.js';
import { createRuntime } from '../../core/runtime.js';
import { approve, auditedRun } from '../support/audited-run.js';
import { closeRecord, runRecord, turnRecord } from '../support/records.js';
import { logFile, temporaryFolder } from '../support/temporary-folder.js';

const said = (runId: string, value: 0 | 1, at: number) =>
  ({ type: 'feedback', v: 1, runId, at, value, by: 'thumbs' }) as const;

const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

describe('feedback on a run', () => {
  it('is recorded, redacted, and counted by flush', async () => {
    const { runtime, of } = auditedRun(approve);
    const before = (await runtime.flush()).written;
    await runtime.feedback('run', { value: 0, by: 'thumbs', comment: `it printed ${secret}` });
    expect(of('feedback')).toEqual([
      expect.objectContaining({
        runId: 'run',
        value: 0,
        by: 'thumbs',
        comment: 'it printed [redacted:api-key]',
      }),
    ]);
    expect((await runtime.flush()).written).toBe(before + 1);
  });

  it.each<[string, unknown, unknown]>([
    ['a value between', 'run', { value: 0.5, by: 'thumbs' }],
    ['nobody', 'run', { value: 1 }],
    ['nothing', 'run', undefined],
    ['no run', '', { value: 1, by: 'thumbs' }],
  ])('that makes no sense is reported, not recorded: %s', async (_, runId, feedback) => {
    const { runtime, of, diagnostics } = auditedRun(approve);
    await runtime.feedback(runId as string, feedback as Feedback);
    expect(of('feedback')).toEqual([]);
    expect(diagnostics.map(({ code }) => code)).toEqual(['bad-feedback']);
  });

  it('on a run that sampling leaves out is left out, too', async () => {
    const { runtime, records } = auditedRun(approve, { sampleRate: 0 });
    await runtime.feedback('run', { value: 1, by: 'thumbs' });
    expect(records).toEqual([]);
  });

  it('needs no recorder', async () => {
    await expect(createRuntime().feedback('run', { value: 1, by: 'thumbs' })).resolves.toBeUndefined();
  });
});

describe('in a log', () => {
  it('the newest of a run counts, and a run need not be there', async () => {
    const file = logFile(
      said('a', 0, 5),
      said('a', 1, 9),
      said('a', 0, 7),
      '{"type":"feedback", torn',
      said('b', 0, 1),
    );
    const feedback = await readFeedback(file);
    expect([...feedback].map(([runId, { value }]) => [runId, value])).toEqual([
      ['a', 1],
      ['b', 0],
    ]);
  });

  it('is no part of the runs, whether it comes before their close, after it, or on another one', async () => {
    const file = logFile(
      runRecord('a'),
      said('a', 1, 1),
      turnRecord('a', '1'),
      closeRecord('a'),
      said('a', 0, 2),
      said('elsewhere', 0, 2),
    );
    const runs = await Array.fromAsync(readRuns(file));
    expect(runs.map(({ run, turns, incomplete }) => [run.runId, turns.length, incomplete])).toEqual([
      ['a', 1, false],
    ]);
  });

  it('outlives the process that heard it', async () => {
    const file = path.join(temporaryFolder(), 'later.jsonl');
    const recorder = jsonlRecorder(file);
    await createRuntime({ recorder }).feedback('run', { value: 1, by: 'support', comment: 'solved' });
    await recorder.close();
    expect((await readFeedback(file)).get('run')).toMatchObject({
      value: 1,
      by: 'support',
      comment: 'solved',
    });
  });
});
