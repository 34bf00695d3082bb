import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { PredictedRun } from '../../bench/prediction-schema.js';
import { type PredictionsHeader, readPredictions, writePredictions } from '../../bench/predictions-file.js';
import { logFile, temporaryFolder } from '../support/temporary-folder.js';

const header: PredictionsHeader = {
  type: 'predictions',
  v: 1,
  auditor: 'chat tiny',
  protocol: 'strict',
  toEnd: false,
  schedule: 'every',
  model: 'tiny',
  auditorDigest: 'd1',
  datasets: ['hand-made'],
  createdAt: '2026-01-02T03:04:05.678Z',
};

const call = { type: 'call', purpose: 'verdict', model: 'tiny', attempts: 1, durationMs: 2 } as const;

function predicted(runId: string, changes: Partial<PredictedRun> = {}): PredictedRun {
  return {
    truth: {
      runId,
      dataset: 'hand-made',
      domain: 'math',
      split: 'test',
      group: 'g',
      turns: 4,
      label: { kind: 'unsafe', step: 2, agent: 'solver', reason: 'the secret answer', source: 'natural' },
    },
    inputDigest: '0123456789abcdef',
    audits: [
      { step: 0, verdict: { kind: 'continue', score: 0.1 }, ms: 3, calls: [call] },
      { step: 2, failure: { kind: 'unavailable', message: 'away' }, ms: 3, calls: [] },
      { step: 3, verdict: { kind: 'alarm', step: 2, agent: 'solver', reason: 'no' }, ms: 3, calls: [] },
    ],
    ...changes,
  };
}

const lines = (...runs: readonly object[]) => logFile(header, ...runs);

describe('a predictions file', () => {
  it('comes back as it was written, but for the annotators words', async () => {
    const file = path.join(temporaryFolder(), 'p.jsonl');
    await writePredictions(file, header, [predicted('a'), predicted('b')]);
    const read = await readPredictions(file);
    expect(read.header).toEqual(header);
    expect(read.predictions.map(({ truth }) => truth.runId)).toEqual(['a', 'b']);
    expect(read.predictions[0]?.audits).toEqual(predicted('a').audits);
    expect(read.predictions[0]?.truth.label).toEqual({
      kind: 'unsafe',
      step: 2,
      agent: 'solver',
      source: 'natural',
    });
    expect(fs.readFileSync(file, 'utf8')).not.toContain('secret answer');
  });

  it('says of a run that was asked again what was said last, at its first place', async () => {
    const again = predicted('a', { audits: [] });
    const { predictions } = await readPredictions(lines(predicted('a'), predicted('b'), again));
    expect(predictions.map(({ truth, audits }) => [truth.runId, audits.length])).toEqual([
      ['a', 0],
      ['b', 3],
    ]);
  });

  it.each([
    ['in the middle of a character', Buffer.from('{"truth":{"runId":"é').subarray(0, -1)],
    ['where it is no JSON yet', Buffer.from('{"truth":')],
  ])('is read without a last line that was torn %s', async (_, torn) => {
    const file = lines(predicted('a'));
    fs.appendFileSync(file, torn);
    expect((await readPredictions(file)).predictions).toHaveLength(1);
  });

  it('is read with a last line that only lacks its end', async () => {
    const file = lines(predicted('a'));
    fs.appendFileSync(file, JSON.stringify(predicted('b')));
    expect((await readPredictions(file)).predictions).toHaveLength(2);
  });
});

describe('a file that is wrong is told by line and field', () => {
  const audit = { step: 1, ms: 1, calls: [] };
  const { truth } = predicted('a');
  it.each<[string, readonly (object | string)[], RegExp]>([
    ['of another kind', [{ v: 1 }], /:1: is no predictions file/],
    ['empty of lines', ['{"type":'], /:1: is no JSON/],
    ['of another version', [{ ...header, v: 2 }], /:1 \(v\): expected 1/],
    ['with an unknown protocol', [{ ...header, protocol: 'lax' }], /:1 \(protocol\)/],
    ['broken within', [header, '{oops', predicted('a')], /:2: is no JSON/],
    ['with an unknown field', [header, { ...predicted('a'), more: 1 }], /:2.*more/],
    [
      'with a verdict and a failure',
      [
        header,
        predicted('a', {
          audits: [{ ...audit, verdict: { kind: 'continue' }, failure: { kind: 'threw', message: '' } }],
        }),
      ],
      /:2 \(audits\[0\]\): an audit has a verdict or a failure/,
    ],
    ['with neither', [header, predicted('a', { audits: [audit] })], /:2 \(audits\[0\]\)/],
    [
      'with an alarm on what was not there',
      [
        header,
        predicted('a', {
          audits: [{ ...audit, verdict: { kind: 'alarm', step: 2, agent: 'x', reason: '' } }],
        }),
      ],
      /:2 \(audits\[0\]\.verdict\.step\)/,
    ],
    [
      'with steps that do not rise',
      [
        header,
        predicted('a', { audits: [audit, audit].map((one) => ({ ...one, verdict: { kind: 'continue' } })) }),
      ],
      /:2 \(audits\): steps must rise/,
    ],
    [
      'with a label beyond the run',
      [header, predicted('a', { truth: { ...truth, turns: 2 }, audits: [] })],
      /:2 \(truth\.label\.step\)/,
    ],
  ])('%s', async (_, content, message) => {
    const file = logFile(...content);
    const fault = await readPredictions(file).catch((error: Error) => error);
    expect(fault).toMatchObject({ name: 'InputError', message: expect.stringMatching(message) });
    expect((fault as Error).message.startsWith(file)).toBe(true);
  });
});
