import { describe, expect, test } from 'vitest';
import type { BenchRun } from '../../bench/bench-run.js';
import { firstAlarm } from '../../bench/prediction.js';
import type { Protocol } from '../../bench/protocol.js';
import { walkRun } from '../../bench/walk-run.js';
import type { RunLabel } from '../../collectors/recorded-run.js';
import { AuditError, type Auditor, type AuditRequest, portableSchedule } from '../../core/index.js';

const { signal } = new AbortController();
const SAFE: RunLabel = { kind: 'safe' };
const UNSAFE: RunLabel = {
  kind: 'unsafe',
  step: 2,
  agent: 'solver',
  source: 'natural',
  reason: 'added wrongly',
};

function benchRun(label: RunLabel, contents = ['6 times 7?', 'plan', '41', 'done']): BenchRun {
  const turns = contents.map((content, step) => ({
    agent: step === 0 ? 'user' : 'solver',
    kind: step === 0 ? ('user' as const) : ('agent' as const),
    content,
  }));
  return {
    run: {
      runId: 'r',
      source: 'r.json',
      task: '6 times 7?',
      tools: [],
      turns,
      label,
      reference: '42',
      quirks: [],
    },
    dataset: 'hand-made',
    group: 'g',
  };
}

/** Remembers what it was shown. */
function watching(audit: Auditor['audit']): Auditor & { readonly seen: AuditRequest[] } {
  const seen: AuditRequest[] = [];
  return {
    seen,
    audit(request, options) {
      seen.push(request);
      return audit(request, options);
    },
  };
}

const continues = () => watching(() => ({ kind: 'continue' }));
const alarmsAt = (step: number) =>
  watching(({ prefix }) =>
    prefix.newest.index >= step
      ? { kind: 'alarm', step: step - 1, agent: 'solver', reason: 'no' }
      : { kind: 'continue' },
  );

describe('which prefixes are asked about', () => {
  test.each<[Protocol, RunLabel, number[]]>([
    ['strict', SAFE, [0, 1, 2, 3]],
    ['strict', UNSAFE, [0, 1, 2, 3]],
    ['official', SAFE, [3]],
    ['official', UNSAFE, [0, 1, 2, 3]],
    ['post-hoc', SAFE, [3]],
    ['post-hoc', UNSAFE, [3]],
  ])('%s, %o', async (protocol, label, steps) => {
    const auditor = continues();
    const { audits } = await walkRun(benchRun(label), auditor, { protocol, signal });
    expect(audits.map(({ step }) => step)).toEqual(steps);
    expect(auditor.seen.map(({ prefix }) => prefix.length - 1)).toEqual(steps);
  });

  test('a schedule thins them out, but never passes over the end', async () => {
    const run = benchRun(SAFE, ['6 times 7?', 'same', 'same', 'same']);
    const { audits } = await walkRun(run, continues(), {
      protocol: 'strict',
      schedule: portableSchedule(),
      signal,
    });
    expect(audits.map(({ step }) => step)).toEqual([1, 3]);
  });
});

test('the first alarm ends the walk; its step is the blamed one, beside where it was raised', async () => {
  const prediction = await walkRun(benchRun(UNSAFE), alarmsAt(2), { protocol: 'strict', signal });
  expect(prediction.audits).toHaveLength(3);
  expect(firstAlarm(prediction)).toEqual({ raisedAt: 2, step: 1, agent: 'solver', reason: 'no' });
});

test('to the end, it is asked on, and the first alarm still counts', async () => {
  const prediction = await walkRun(benchRun(UNSAFE), alarmsAt(2), {
    protocol: 'strict',
    toEnd: true,
    signal,
  });
  expect(prediction.audits).toHaveLength(4);
  expect(firstAlarm(prediction)?.raisedAt).toBe(2);
});

test('neither label nor reference reaches the auditor', async () => {
  const auditor = continues();
  await walkRun(benchRun(UNSAFE), auditor, { protocol: 'strict', signal });
  for (const { prefix, ...request } of auditor.seen) {
    expect(Object.keys(request).sort()).toEqual(['runId', 'task', 'tools']);
    expect(JSON.stringify([...prefix])).not.toMatch(/42|added wrongly|natural/);
  }
});

test('a failed audit is no Continue, and the walk goes on', async () => {
  const failing = watching(({ prefix }) => {
    if (prefix.length === 2) throw new AuditError('unavailable', 'no route');
    return { kind: 'continue' };
  });
  const { audits } = await walkRun(benchRun(SAFE), failing, { protocol: 'strict', signal });
  expect(audits.map(({ verdict, failure }) => verdict?.kind ?? failure?.kind)).toEqual([
    'continue',
    'unavailable',
    'continue',
    'continue',
  ]);
});

test('an alarm that names a step of the future is a failure', async () => {
  const seer = watching(({ prefix }) => ({
    kind: 'alarm',
    step: prefix.length,
    agent: 'solver',
    reason: '',
  }));
  const prediction = await walkRun(benchRun(SAFE), seer, { protocol: 'strict', signal });
  expect(firstAlarm(prediction)).toBeUndefined();
  expect(prediction.audits.every(({ failure }) => failure?.kind === 'invalid')).toBe(true);
});

test('model calls are kept with the audit that they were made for, those that end later too', async () => {
  const call = { type: 'call', purpose: 'verdict', model: 'm', attempts: 1, durationMs: 3 } as const;
  const metered = watching((_, { note }) => {
    note?.(call);
    note?.(new Promise((resolve) => setTimeout(() => resolve({ ...call, inputTokens: 7 }), 5)));
    note?.({ type: 'cut', turns: 1, tokens: 9 });
    return { kind: 'continue' };
  });
  const { audits } = await walkRun(benchRun(SAFE), metered, { protocol: 'post-hoc', signal });
  expect(audits[0]?.calls).toEqual([call, { ...call, inputTokens: 7 }]);
});

test('stopped, it rejects with the reason, and calls nothing a failure', async () => {
  const stopping = new AbortController();
  const auditor = watching(() => {
    stopping.abort(new Error('enough'));
    return { kind: 'continue' };
  });
  const walk = walkRun(benchRun(SAFE), auditor, { protocol: 'strict', signal: stopping.signal });
  await expect(walk).rejects.toThrow('enough');
  expect(auditor.seen).toHaveLength(1);
});
