import { describe, expect, it, vi } from 'vitest';
import { SetupError } from '../../core/errors.js';
import type { Recorder } from '../../core/recorder.js';
import { createRuntime, type RuntimeOptions } from '../../core/runtime.js';
import { sampled } from '../../core/sampling.js';
import { approve, auditedRun, gateway, says, settle } from '../support/audited-run.js';

describe('createRuntime', () => {
  it.each<[string, unknown, string]>([
    ['an unknown option', { onAlram: 'halt' }, 'there is no option onAlram'],
    ['no object', null, 'the options: '],
    [
      'an auditor that cannot audit',
      { auditor: {} },
      'option auditor: expected an object with a method audit()',
    ],
    [
      'a function for an auditor',
      { auditor: approve },
      'option auditor: expected an object with a method audit()',
    ],
    [
      'a name that is no text',
      { auditor: { audit: approve, name: 7 } },
      'option auditor.name: expected a string',
    ],
    [
      'a recorder that cannot append',
      { recorder: {} },
      'option recorder: expected an object with a method append()',
    ],
    ['a schedule', { schedule: () => true }, 'option schedule: expected an object with a method due()'],
    ['a redactor', { redactor: /x/ }, 'option redactor: expected an object with a method redact()'],
    [
      'diagnostics',
      { diagnostics: console.warn },
      'option diagnostics: expected an object with a method report()',
    ],
    ['a policy', { onAlarm: 'explode' }, 'option onAlarm: Invalid option'],
    ['a failure policy', { onAuditFailure: 'pause' }, 'option onAuditFailure: Invalid option'],
    ['no deadline', { deadlineMs: 0 }, 'option deadlineMs: '],
    ['an endless deadline', { deadlineMs: Infinity }, 'option deadlineMs: '],
    ['a deadline beyond timers', { deadlineMs: 2 ** 31 }, 'option deadlineMs: '],
    ['a rate above one', { sampleRate: 2 }, 'option sampleRate: '],
  ])('refuses %s, naming the option and the remedy', (_, options, message) => {
    const create = () => createRuntime(options as RuntimeOptions);
    expect(create).toThrow(SetupError);
    expect(create).toThrow(`[agentforesight] [runtime] ${message}`);
    expect(create).toThrow(/\. Options are auditor, recorder, .*; see the README\.$/);
  });

  it('needs no options: it audits, halts on an alarm and records nothing', async () => {
    const runtime = createRuntime();
    const session = runtime.openSession({ runId: 'run', task: 'Sum 1 and 2.' });
    expect(await session.submit(says('The sum is 3.'))).toEqual({ action: 'proceed' });
    expect(await session.close({ status: 'completed' })).toEqual({ action: 'proceed' });
    expect(await runtime.flush()).toEqual({ written: 0, dropped: 0, pending: 0 });
  });

  it('keeps the roles as they are, methods of classes included', async () => {
    class Counting {
      asked = 0;
      audit() {
        this.asked++;
        return { kind: 'continue' as const };
      }
    }
    const auditor = new Counting();
    const { session } = auditedRun(approve, { auditor });
    await session.submit(says('3'));
    expect(auditor.asked).toBe(1);
  });

  it("asks when the auditor wishes, unless the user's schedule says otherwise", async () => {
    const auditor = { audit: vi.fn(approve), schedule: { due: () => false } };
    for (const [options, calls] of [[{}, 0] as const, [{ schedule: { due: () => true } }, 1] as const]) {
      const session = createRuntime({ auditor, ...options }).openSession({ runId: 'run', task: '' });
      await session.submit(says('3'));
      expect(auditor.audit).toHaveBeenCalledTimes(calls);
    }
  });

  it('warns on stderr once per kind of fault, when nobody else listens', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    const auditor = { audit: () => Promise.reject(new Error('no credit')), schedule: { due: () => true } };
    const session = createRuntime({ auditor }).openSession({ runId: 'run', task: '' });
    await session.submit(says('3'));
    await session.submit(says('4'));
    const warnings = warn.mock.calls.map(([text]) => text);
    warn.mockRestore();
    expect(warnings).toEqual([expect.stringContaining('[agentforesight] audit-failure-threw [run run]: ')]);
    expect(warnings[0]).toContain('no credit');
  });
});

describe('a recorder', () => {
  const recorders: [string, Recorder['append']][] = [
    ['rejects', () => Promise.reject(new Error('disk full'))],
    [
      'throws',
      () => {
        throw new Error('disk full');
      },
    ],
  ];

  it.each(recorders)('that %s costs the host nothing, and flush tells', async (_, append) => {
    const { runtime, session, diagnostics } = auditedRun(approve, { recorder: { append } });
    expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
    expect(await session.close({ status: 'completed' })).toEqual({ action: 'proceed' });
    expect(await runtime.flush()).toEqual({ written: 0, dropped: 5, pending: 0 });
    expect(diagnostics).toContainEqual(
      expect.objectContaining({ code: 'record-dropped', message: 'disk full', runId: 'run' }),
    );
  });

  it('that hangs is waited for once, not at every turn, until it comes back', async () => {
    const stuck = gateway();
    const options = { recorder: { append: () => stuck.opened }, deadlineMs: 100 };
    const { runtime, session, diagnostics } = auditedRun(approve, options);
    await session.submit(says('3'));
    const reported = diagnostics.length;
    const started = performance.now();
    for (let turns = 0; turns < 20; turns++) await session.submit(says(`${turns}`));
    expect(performance.now() - started).toBeLessThan(1_000);
    expect(diagnostics).toHaveLength(reported);
    stuck.open();
    expect(await runtime.flush()).toEqual({ written: 44, dropped: 0, pending: 0 });
    expect(await session.submit(says('back'))).toEqual({ action: 'proceed' });
  });

  it('that hangs lets the host go on after the deadline, and flush says what is pending', async () => {
    const stuck = gateway();
    const options = { recorder: { append: () => stuck.opened }, deadlineMs: 30 };
    const { runtime, session, diagnostics } = auditedRun(approve, options);
    const started = performance.now();
    expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
    expect(performance.now() - started).toBeGreaterThan(20);
    expect(await runtime.flush(10)).toEqual({ written: 0, dropped: 0, pending: 4 });
    expect(diagnostics.map(({ code }) => code)).toContain('recorder-slow');
    stuck.open();
    expect(await runtime.flush()).toEqual({ written: 4, dropped: 0, pending: 0 });
  });

  it.each(['turn', 'verdict'])(
    'is waited for: a submit resolves once its %s is acknowledged',
    async (type) => {
      const disk = gateway();
      const append: Recorder['append'] = async (record) => {
        if (record.type === type) await disk.opened;
      };
      const { session } = auditedRun(approve, { recorder: { append } });
      let resolved = false;
      const submitted = session.submit(says('3')).then(() => {
        resolved = true;
      });
      for (let turns = 0; turns < 10; turns++) await settle();
      expect(resolved).toBe(false);
      disk.open();
      await submitted;
    },
  );

  it('gets the records of a run in order, and each once', async () => {
    const { session, records } = auditedRun(approve);
    void session.submit(says('3'));
    void session.submit(says('4'));
    await session.close({ status: 'completed' });
    const line = records.map((record) => ('step' in record ? `${record.type} ${record.step}` : record.type));
    expect(line).toEqual(['run', 'turn', 'turn', 'turn', 'verdict 1', 'verdict 2', 'close']);
  });
});

it('flush waits as long as it is told, forever included', async () => {
  const disk = gateway();
  const { runtime } = auditedRun(approve, { recorder: { append: () => disk.opened } });
  setTimeout(() => disk.open(), 30);
  expect(await runtime.flush(Infinity)).toEqual({ written: 2, dropped: 0, pending: 0 });
});

describe('sampling', () => {
  it('records none, all, or some of the runs, and audits all of them', async () => {
    for (const [sampleRate, recorded] of [
      [0, 0],
      [1, 4],
    ]) {
      const audit = vi.fn(approve);
      const { session, records } = auditedRun(audit, { sampleRate: sampleRate ?? 0 });
      await session.submit(says('3'));
      expect(audit).toHaveBeenCalledTimes(1);
      expect(records).toHaveLength(recorded ?? 0);
    }
  });

  it.each(['run-', 'a1b2-', ''])('keeps its rate, for ids that differ in a number only: %s', (prefix) => {
    for (const rate of [0.01, 0.1, 0.5, 0.9]) {
      const kept = Array.from({ length: 20_000 }, (_, at) => sampled(`${prefix}${at}`, rate)).filter(
        Boolean,
      ).length;
      expect(Math.abs(kept / 20_000 - rate)).toBeLessThan(0.015);
    }
  });

  it('decides by the id alone: always alike, and a higher rate keeps what a lower one kept', () => {
    expect(['a', 'b', 'c', 'd', 'e', 'f'].map((id) => sampled(id, 0.5))).toEqual(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => sampled(id, 0.5)),
    );
    for (let at = 0; at < 1_000; at++) {
      if (sampled(`run-${at}`, 0.2)) expect(sampled(`run-${at}`, 0.3)).toBe(true);
    }
  });

  it('decides alike in every release, so that parts of a distributed run agree', () => {
    expect(Array.from({ length: 10 }, (_, at) => Number(sampled(`run-${at}`, 0.5))).join('')).toBe(
      '1010010000',
    );
  });
});
