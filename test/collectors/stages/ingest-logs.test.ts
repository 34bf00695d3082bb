import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRuntime, jsonlRecorder, type Outcome, type RuntimeOptions } from '../../../core/index.js';
import { closeRecord, runRecord, turnRecord } from '../../support/records.js';
import { logFile, temporaryFolder } from '../../support/temporary-folder.js';
import { ingested } from '../support/ingested.js';

const secret = `ghp_${'a1B2c3D4e5'.repeat(4)}`;

/** A log as a host's own process writes it: one run for each outcome. */
async function recordedLog(
  outcomes: readonly (Outcome['status'] | 'cut off')[],
  options: Partial<RuntimeOptions> = {},
): Promise<string> {
  const file = path.join(temporaryFolder(), 'live.jsonl');
  const recorder = jsonlRecorder(file);
  const runtime = createRuntime({ recorder, ...options });
  for (const [at, status] of outcomes.entries()) {
    const session = runtime.openSession({
      runId: `run-${at}`,
      task: `Task ${at}.`,
      tools: [{ name: 'search' }],
    });
    await session.submit({ agent: 'solver', kind: 'agent', content: `My key is ${secret}.` });
    if (status !== 'cut off') await session.close({ status });
    if (at === 0) await runtime.feedback('run-0', { value: 0, by: 'thumbs', comment: 'wrong' });
    if (at === 0) await runtime.feedback('run-0', { value: 1, by: 'support' });
  }
  await recorder.close();
  return file;
}

describe('a run log', () => {
  it('gives its whole runs, redacted as they were recorded, with the newest feedback', async () => {
    const file = await recordedLog(['completed', 'failed', 'aborted', 'interrupted', 'cut off'], {
      consent: true,
    });
    const { samples, decisions, report } = await ingested([file], { licence: 'proprietary' });
    expect(samples.map(({ id }) => id)).toEqual(['run-0', 'run-1']);
    expect(samples[0]).toMatchObject({
      task: 'Task 0.',
      tools: [{ name: 'search' }],
      turns: [
        { kind: 'user', content: 'Task 0.' },
        { agent: 'solver', content: 'My key is [redacted:api-key].' },
      ],
      feedback: { value: 1, by: 'support' },
      provenance: { format: 'run-log', source: 'live.jsonl:1', licence: 'proprietary' },
    });
    expect(samples[1]?.feedback).toBeUndefined();
    expect(decisions.map(({ id, rule, verdict, reason }) => [id, rule, verdict, reason])).toEqual([
      ['run-0', 'consent', 'keep', 'those concerned agreed'],
      ['run-1', 'consent', 'keep', 'those concerned agreed'],
      ['run-2', 'unfinished', 'drop', 'aborted'],
      ['run-3', 'unfinished', 'drop', 'interrupted'],
      ['run-4', 'unfinished', 'drop', 'cut off: its process died, or is still at work'],
    ]);
    expect(report.total).toMatchObject({
      runs: 5,
      turns: 10,
      taken: 2,
      dropped: { unfinished: 3 },
      quirks: { 'cut-off': 1 },
      withoutOutcome: 1,
    });
  });

  it('gives runs of other outcomes on demand', async () => {
    const file = await recordedLog(['completed', 'aborted', 'cut off'], { consent: true });
    const { samples } = await ingested([file], { outcomes: ['aborted'] });
    expect(samples.map(({ id }) => id)).toEqual(['run-1']);
  });

  it.each<[string, boolean | undefined, 'recorded' | 'assume', string, number]>([
    ['agreed', true, 'recorded', 'those concerned agreed', 1],
    ['refused', false, 'recorded', 'those concerned did not agree', 0],
    ['refused', false, 'assume', 'those concerned did not agree', 0],
    ['never asked', undefined, 'recorded', 'nobody was asked', 0],
    ['never asked', undefined, 'assume', 'assumed: nobody was asked', 1],
  ])('of runs whose people %s (%s), under %s: %s', async (_, consent, option, reason, taken) => {
    const file = await recordedLog(['completed'], consent === undefined ? {} : { consent });
    const { samples, decisions } = await ingested([file], { consent: option });
    expect([samples.length, decisions.map((decision) => decision.reason)]).toEqual([taken, [reason]]);
  });

  it('takes no turn twice: a chain of runs is one sample, and of a fork the last counts', async () => {
    const agreed = { consent: true };
    const next = (runId: string, continues: string, turn: string) => [
      runRecord(runId, { ...agreed, continues }),
      turnRecord(runId, turn, { index: Number(turn) }),
    ];
    const file = logFile(
      runRecord('a', agreed),
      turnRecord('a', '0'),
      closeRecord('a', 'halted'),
      ...next('b', 'a', '1'),
      closeRecord('b', 'halted'),
      ...next('c', 'b', '2'),
      closeRecord('c'),
      runRecord('x', agreed),
      turnRecord('x', '0'),
      closeRecord('x', 'halted'),
      ...next('y', 'x', '1'),
      closeRecord('y', 'failed'),
      ...next('z', 'x', '1'),
      closeRecord('z'),
    );
    const { samples, report } = await ingested([file]);
    expect(samples.map(({ id, turns }) => [id, turns.length])).toEqual([
      ['c', 3],
      ['z', 2],
    ]);
    expect(report.total.dropped).toEqual({ continued: 4 });
  });

  it('gives no run that continues one without consent, nor one whose turns are in another log', async () => {
    const file = logFile(
      runRecord('a', { consent: false }),
      turnRecord('a', '0'),
      closeRecord('a', 'halted'),
      runRecord('b', { consent: true, continues: 'a' }),
      closeRecord('b'),
      runRecord('d', { consent: true, continues: 'elsewhere' }),
      turnRecord('d', '5', { index: 5 }),
      closeRecord('d'),
    );
    const { samples, decisions } = await ingested([file], { consent: 'assume' });
    expect(samples).toEqual([]);
    expect(decisions.map(({ id, rule }) => [id, rule])).toEqual([
      ['a', 'continued'],
      ['b', 'consent'],
      ['d', 'incomplete'],
    ]);
  });

  it('hears feedback from the log of another process, the newest of all', async () => {
    const folder = temporaryFolder();
    const feedback = (at: number, value: 0 | 1) =>
      `${JSON.stringify({ type: 'feedback', v: 1, runId: 'run-0', at, value, by: 'thumbs' })}\n`;
    const log = await recordedLog(['completed'], { consent: true });
    fs.copyFileSync(log, path.join(folder, 'b.jsonl'));
    fs.writeFileSync(path.join(folder, 'a.jsonl'), feedback(Date.now() + 2_000, 0));
    fs.writeFileSync(path.join(folder, 'c.jsonl'), feedback(1, 1));
    const { samples } = await ingested([folder]);
    expect(samples.map((sample) => sample.feedback)).toEqual([{ value: 0, by: 'thumbs' }]);
    expect(samples[0]?.provenance.source).toBe(`${path.basename(folder)}/b.jsonl:1`);
  });

  it('read twice counts once; another run of the same id gets one of its own', async () => {
    const run = (...turns: readonly string[]) =>
      logFile(
        runRecord('run', { consent: true }),
        ...turns.map((turn, index) => turnRecord('run', turn, { index })),
        closeRecord('run'),
      );
    const first = run('1');
    const { samples, report } = await ingested([first, run('1', '2'), first, run('3')]);
    expect(samples.map(({ id, turns }) => [id, turns.length])).toEqual([
      ['run', 1],
      ['run#2', 2],
      ['run#3', 1],
    ]);
    expect(report.total.dropped).toEqual({ duplicate: 1 });
    expect(report.files.map(({ taken }) => taken)).toEqual([1, 1, 0, 1]);
  });

  it('of which bad lines are passed over on demand, and counted without the paths of this machine', async () => {
    const file = logFile(
      runRecord('a', { consent: true }),
      turnRecord('a', '1'),
      '{"type":"turn"',
      closeRecord('a'),
    );
    const broken = path.join(path.dirname(file), 'other.jsonl');
    fs.writeFileSync(broken, '{"nothing":"known"}\n');
    await expect(ingested([file])).rejects.toThrow(`${file}:3`);
    const told: string[] = [];
    const { samples, report } = await ingested([file, broken], {
      keepGoing: true,
      onBadInput: ({ message }) => told.push(message),
    });
    expect([samples.length, told.length]).toEqual([1, 2]);
    expect(report.files.map(({ source, format, unreadable }) => [source, format, unreadable])).toEqual([
      ['log.jsonl', 'run-log', 1],
      ['other.jsonl', 'unknown', 1],
    ]);
    expect(report.files[0]?.faults).toEqual([expect.stringMatching(/^log\.jsonl:3: not JSON/)]);
    expect(JSON.stringify(report)).not.toContain(path.dirname(file));
  });
});

describe('what is read', () => {
  it('is told apart by content and name, not by place', async () => {
    const { ingestSource } = await import('../../../collectors/stages/ingest.js');
    const { signal } = new AbortController();
    const print = (file: string) => ingestSource({ paths: [file] }).fingerprint(signal);
    const [one, same, other] = [logFile('{"a":1}'), logFile('{"a":1}'), logFile('{"a":2}')];
    expect(await print(one)).toEqual(await print(same));
    expect(await print(one)).not.toEqual(await print(other));
  });
});
