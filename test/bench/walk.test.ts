import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { readPredictions } from '../../bench/predictions-file.js';
import { type WalkedAuditor, type WalkOptions, walk } from '../../bench/walk.js';
import { AuditError, type Auditor, type AuditRequest } from '../../core/index.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { benchRun, timeless } from './support/walked-runs.js';

const { signal } = new AbortController();
const runs = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => benchRun(id));

const newFile = () => path.join(temporaryFolder(), 'p.jsonl');

/** An auditor that tells which run it was asked about, prefix by prefix. */
function asked(
  audit: (request: AuditRequest) => ReturnType<Auditor['audit']> = () => ({ kind: 'continue' }),
) {
  const seen: string[] = [];
  const auditor: Auditor = {
    audit(request) {
      seen.push(request.runId);
      return audit(request);
    },
  };
  const walked: WalkedAuditor = { auditor: 'scripted', auditorDigest: 'd1', auditorOf: () => auditor };
  return { seen, walked };
}

const walkAll = (
  walked: WalkedAuditor,
  out: string,
  options: Partial<WalkOptions> = {},
  over: readonly ReturnType<typeof benchRun>[] = runs,
) => Array.fromAsync(walk(over, walked, { protocol: 'strict', out, signal, ...options }));

describe('a walk', () => {
  it('leaves the same lines whatever the concurrency, in the order of the runs', async () => {
    const slowFirst = asked(async ({ runId }) => {
      await sleep(runId === 'a' ? 40 : 1);
      return { kind: 'continue' };
    });
    const [one, six] = [newFile(), newFile()];
    await walkAll(slowFirst.walked, one, { concurrency: 1 });
    const order = await walkAll(slowFirst.walked, six, { concurrency: 6 });
    expect(order.map(({ predicted }) => predicted.truth.runId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(timeless(six)).toEqual(timeless(one));
    // The last run is begun while the first one is still at its first prefix.
    expect(slowFirst.seen.indexOf('f', 24)).toBeLessThan(slowFirst.seen.indexOf('a', 25));
  });

  it('does not ask again what the file holds, and hands it over in its place', async () => {
    const { seen, walked } = asked();
    const out = newFile();
    await walkAll(walked, out, {}, runs.slice(0, 2));
    seen.length = 0;
    const all = await walkAll(walked, out);
    expect(new Set(seen)).toEqual(new Set(['c', 'd', 'e', 'f']));
    expect(all.map(({ resumed }) => resumed)).toEqual([true, true, false, false, false, false]);
    expect((await readPredictions(out)).predictions).toHaveLength(6);
  });

  it('goes on after a line that a crash has torn', async () => {
    const { seen, walked } = asked();
    const [whole, torn] = [newFile(), newFile()];
    await walkAll(walked, whole);
    await walkAll(walked, torn);
    const bytes = fs.readFileSync(torn);
    fs.writeFileSync(torn, bytes.subarray(0, bytes.length - 30));
    seen.length = 0;
    await walkAll(walked, torn);
    expect(new Set(seen)).toEqual(new Set(['f']));
    expect(timeless(torn)).toEqual(timeless(whole));
  });

  it.each([
    ['nothing', 0],
    ['a part of its header', 25],
    ['its header, but for the end of the line', -1],
  ])('goes on where a crash has left %s', async (_, length) => {
    const { walked } = asked();
    const [whole, torn] = [newFile(), newFile()];
    await walkAll(walked, whole);
    const [header = ''] = fs.readFileSync(whole, 'utf8').split('\n');
    fs.writeFileSync(torn, length < 0 ? header : header.slice(0, length));
    await walkAll(walked, torn);
    expect(timeless(torn)).toEqual(timeless(whole));
  });

  it('asks again about a run that reads otherwise now', async () => {
    const { seen, walked } = asked();
    const out = newFile();
    await walkAll(walked, out);
    seen.length = 0;
    const edited = benchRun('b', { kind: 'safe' }, ['6 times 7?', 'plan', '41', 'done']);
    await walkAll(walked, out, {}, [runs[0] as (typeof runs)[0], edited]);
    expect(new Set(seen)).toEqual(new Set(['b']));
  });

  it('keeps what was said under a label that was mended since', async () => {
    const { seen, walked } = asked();
    const out = newFile();
    const labelled = (step: number) =>
      benchRun('a', { kind: 'unsafe', step, agent: 'solver', source: 'natural', reason: 'why' });
    await walkAll(walked, out, {}, [labelled(1)]);
    seen.length = 0;
    await walkAll(walked, out, {}, [labelled(2)]);
    await walkAll(walked, out, {}, [labelled(2)]);
    expect(seen).toEqual([]);
    expect(fs.readFileSync(out, 'utf8').trimEnd().split('\n')).toHaveLength(3);
    expect((await readPredictions(out)).predictions[0]?.truth.label).toMatchObject({ step: 2 });
  });

  it.each<[string, Partial<WalkedAuditor>, Partial<WalkOptions>, RegExp]>([
    ['another auditor', { auditor: 'other' }, {}, /auditor "scripted", and these would be with "other"/],
    ['another configuration', { auditorDigest: 'd2' }, {}, /configured otherwise/],
    ['another protocol', {}, { protocol: 'official' }, /protocol "strict"/],
    ['another schedule', {}, { ownSchedule: true }, /schedule "every"/],
    ['walks to the end', {}, { toEnd: true }, /toEnd false/],
    ['other datasets', {}, { datasets: ['aftraj'] }, /datasets/],
  ])('refuses a file of %s, and leaves it alone', async (_, other, options, message) => {
    const { walked } = asked();
    const out = newFile();
    await walkAll(walked, out);
    const before = fs.readFileSync(out);
    await expect(walkAll({ ...walked, ...other }, out, options)).rejects.toThrow(message);
    expect(fs.readFileSync(out)).toEqual(before);
  });

  it('leaves a file alone that holds something else', async () => {
    const out = newFile();
    fs.writeFileSync(out, 'my notes, without an end');
    await expect(walkAll(asked().walked, out)).rejects.toThrow(/no predictions file/);
    expect(fs.readFileSync(out, 'utf8')).toBe('my notes, without an end');
  });
});

describe('failures', () => {
  const failing = (kind: 'unavailable' | 'auth', when: (runId: string) => boolean) =>
    asked(({ runId }) => {
      if (when(runId)) throw new AuditError(kind, 'no');
      return { kind: 'continue' };
    });

  it('stay failures in the file, until they are asked for again', async () => {
    const out = newFile();
    let isAway = true;
    const { seen, walked } = failing('unavailable', (runId) => isAway && runId === 'c');
    await walkAll(walked, out);
    const failedRuns = async () =>
      (await readPredictions(out)).predictions
        .filter(({ audits }) => audits.some(({ failure }) => failure))
        .map(({ truth }) => truth.runId);
    expect(await failedRuns()).toEqual(['c']);

    isAway = false;
    seen.length = 0;
    await walkAll(walked, out);
    expect(seen).toEqual([]);
    const again = await walkAll(walked, out, { retryFailed: true });
    expect(new Set(seen)).toEqual(new Set(['c']));
    expect(again.map(({ predicted }) => predicted.truth.runId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(await failedRuns()).toEqual([]);
    const { predictions } = await readPredictions(out);
    expect(predictions.map(({ truth }) => truth.runId)).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  });

  it('of the key end the walk, and the run does not count as walked', async () => {
    const out = newFile();
    let isLocked = true;
    const { seen, walked } = failing('auth', (runId) => isLocked && runId === 'b');
    await expect(walkAll(walked, out, { concurrency: 1 })).rejects.toThrow(/refuses the key: no/);
    expect(seen).toEqual(['a', 'a', 'a', 'a', 'b']);
    isLocked = false;
    const all = await walkAll(walked, out);
    expect(all.map(({ resumed }) => resumed)).toEqual([true, false, false, false, false, false]);
  });

  it('of the key end the walk also on the last prefix of a run', async () => {
    const out = newFile();
    const { walked } = asked(({ prefix }) => {
      if (prefix.length === 4) throw new AuditError('auth', 'no');
      return { kind: 'continue' };
    });
    await expect(walkAll(walked, out, { concurrency: 1 })).rejects.toThrow(/refuses the key/);
    expect((await readPredictions(out)).predictions).toEqual([]);
  });

  it('of one of several auditors keys end it too', async () => {
    const call = { type: 'call', purpose: 'verdict', model: 'm', attempts: 1, durationMs: 1 } as const;
    const swallowing: Auditor = {
      audit(_, { note }) {
        note?.({ ...call, failed: 'auth' });
        return { kind: 'continue' };
      },
    };
    const walked = { auditor: 'two', auditorDigest: 'd', auditorOf: () => swallowing };
    await expect(walkAll(walked, newFile())).rejects.toThrow(/refuses the key/);
  });
});

it('a walk that is stopped throws the reason, and leaves the whole runs', async () => {
  const out = newFile();
  const stopping = new AbortController();
  const { walked } = asked(async ({ runId, prefix }) => {
    if (runId === 'c' && prefix.length === 2) stopping.abort(new Error('enough'));
    await sleep(1);
    return { kind: 'continue' };
  });
  await expect(walkAll(walked, out, { concurrency: 1, signal: stopping.signal })).rejects.toThrow('enough');
  const { predictions } = await readPredictions(out);
  expect(predictions.map(({ truth }) => truth.runId)).toEqual(['a', 'b']);
});
