import { describe, expect, it } from 'vitest';
import { sampled } from '../../../core/index.js';
import { logFile } from '../../support/temporary-folder.js';
import { dataFolder } from '../support/data-folder.js';
import { ingested } from '../support/ingested.js';

const afTraj = dataFolder('aftraj');
const whoAndWhen = dataFolder('who-and-when');

describe.runIf(afTraj)('AFTraj', () => {
  it('becomes 2,276 samples with labels, references and provenance, and a report of what is odd', async () => {
    const { samples, decisions, report } = await ingested([afTraj as string], { licence: 'CC-BY-4.0' });
    expect([samples.length, decisions.length]).toEqual([2_276, 0]);
    expect(new Set(samples.map(({ id }) => id)).size).toBe(2_276);
    const unsafe = samples.filter(({ label }) => label?.kind === 'unsafe');
    expect(unsafe).toHaveLength(1_114);
    expect(samples[0]?.provenance).toEqual({
      format: 'aftraj',
      source: 'aftraj/aftraj_safe.parquet (row 0)',
      licence: 'CC-BY-4.0',
    });
    expect(report.total).toMatchObject({
      runs: 2_276,
      turns: 26_306,
      taken: 2_276,
      unreadable: 0,
      withoutOutcome: 0,
    });
    expect(report.total.withoutReference).toBe(
      samples.filter(({ reference }) => reference === undefined).length,
    );
    expect(report.files.map(({ source, runs }) => [source, runs])).toEqual([
      ['aftraj/aftraj_safe.parquet', 1_162],
      ['aftraj/aftraj_unsafe.parquet', 1_114],
    ]);
    expect(report.total.quirks['closing-code-tag']).toBeGreaterThan(300);
  });

  it('sampled gives the runs that core samples, whatever else is there', async () => {
    const { samples, report } = await ingested([afTraj as string], { sample: 0.1 });
    expect(samples.every(({ id }) => sampled(id, 0.1))).toBe(true);
    expect(samples.length).toBeGreaterThan(170);
    expect(samples.length).toBeLessThan(290);
    expect(report.total.dropped).toEqual({ sample: 2_276 - samples.length });
  });

  it('loses its few secrets by default, in calls and in the raw action alike, and none on demand', async () => {
    const { samples, report } = await ingested([afTraj as string]);
    const { samples: raw, report: unredacted } = await ingested([afTraj as string], { redactor: false });
    expect([report.total.redacted, unredacted.total.redacted]).toEqual([5, 0]);
    const changed = samples.filter((sample, at) => JSON.stringify(sample) !== JSON.stringify(raw[at]));
    expect(changed).toHaveLength(5);
    for (const sample of changed) expect(JSON.stringify(sample)).toContain('[redacted:');
  });
});

describe.runIf(whoAndWhen)('Who&When', () => {
  it('becomes 184 samples whose ids and sources tell the halves apart', async () => {
    const { samples, report } = await ingested([whoAndWhen as string], { redactor: false });
    expect(samples).toHaveLength(184);
    expect(samples.filter(({ id }) => id.startsWith('hand-crafted/'))).toHaveLength(58);
    expect(samples.find(({ id }) => id === 'hand-crafted/12')?.provenance.source).toBe(
      'who-and-when/hand-crafted/12.json',
    );
    expect(report.formats['who-and-when']).toMatchObject({ runs: 184, turns: 4_092, taken: 184 });
    expect(report.files).toHaveLength(184);
  });
});

describe('secrets of imported runs', () => {
  const key = `sk-proj-${'a1B2c3D4'.repeat(4)}`;
  const run = {
    is_correct: false,
    question: `Log in with ${key}.`,
    question_ID: '1',
    ground_truth: `It is ${key}.`,
    history: [
      { role: 'user', name: 'Manager', content: `Use ${key}.` },
      { role: 'assistant', name: 'Solver', content: 'Done.' },
    ],
    mistake_agent: 'Solver',
    mistake_step: '1',
    mistake_reason: `It has leaked ${key}.`,
    system_prompt: {},
  };

  it('go from task, turns, reference and label', async () => {
    const { samples, report } = await ingested([logFile(JSON.stringify(run))]);
    expect(samples).toHaveLength(1);
    expect(JSON.stringify(samples)).not.toContain(key);
    expect(samples[0]?.task).toBe('Log in with [redacted:api-key].');
    expect(report.total.redacted).toBe(1);
    const { samples: raw } = await ingested([logFile(JSON.stringify(run))], { redactor: false });
    expect(raw[0]?.task).toBe(run.question);
  });

  it('are what a redactor of your own says they are', async () => {
    const redactor = { redact: (value: unknown) => (typeof value === 'string' ? 'gone' : value) };
    const { samples } = await ingested([logFile(JSON.stringify(run))], { redactor: redactor as never });
    expect(samples[0]?.task).toBe('gone');
  });
});
