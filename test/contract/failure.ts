import assert from 'node:assert/strict';
import { SetupError } from '../../core/index.js';
import { proceed, type ScriptedReply } from '../../core/testing/index.js';
import { assertSame, bareHost } from './against-bare.js';
import type { Clause, Subject } from './clause.js';
import { everything, row } from './scenarios.js';
import { ranBefore, toldTurns } from './script.js';
import { aMoment, haltOf, RUN, trial } from './trial.js';

/** An auditor that breaks costs a record, never the run, and is never taken for one that said Continue. */
export const failure: Clause = {
  name: 'failure',
  checks: [
    {
      name: 'an auditor that throws leaves the host unharmed',
      run: (subject) => assertHarmless(subject, new Error('no credit'), 'threw'),
    },
    {
      name: 'an auditor that hangs past the deadline leaves the host unharmed',
      run: (subject) => assertHarmless(subject, () => new Promise(() => {}), 'deadline'),
    },
    {
      name: 'an auditor that talks nonsense leaves the host unharmed',
      run: (subject) => assertHarmless(subject, 'looks fine to me', 'invalid'),
    },
    {
      name: 'an alarm that blames a step to come, or nobody who has spoken, is nonsense too',
      run: async (subject) => {
        const alarm = { kind: 'alarm', step: 1, agent: 'planner', reason: 'wrong' };
        await assertHarmless(subject, { ...alarm, step: 99 }, 'invalid');
        await assertHarmless(subject, { ...alarm, agent: 'nobody' }, 'invalid');
      },
    },
    {
      name: 'one failed audit among good ones is one failure record, and the others are verdicts',
      run: async (subject) => {
        const tried = await assertSame(subject, row, { reply: failsAt(1) });
        assert.deepEqual(
          tried.of('failure').map(({ step, failure: { kind, message } }) => [step, kind, message]),
          [[2, 'threw', 'no credit']],
        );
        assert.deepEqual(
          tried.of('verdict').map(({ step }) => step),
          [1, 3],
        );
      },
    },
    {
      name: 'onAuditFailure "halt": the run is halted there, and the halt says that the audit failed',
      run: async (subject) => {
        const tried = trial(subject, row, { reply: failsAt(1), onAuditFailure: 'halt' });
        const halt = await haltOf(tried.run());
        assert.equal(halt.alarm, undefined);
        assert.deepEqual(
          [halt.failure?.step, halt.failure?.failure],
          [2, { kind: 'threw', message: 'no credit' }],
        );
        assert.deepEqual(tried.ran, ranBefore(row, RUN.task, 2));
        assert.deepEqual(
          tried.of('failure').map(({ enforced }) => enforced),
          ['halt'],
        );
      },
    },
    {
      name: 'a recorder that fails leaves the host unharmed, and the audit at work',
      run: async (subject) => {
        const recorder = { append: () => Promise.reject(new Error('no disk')) };
        const { requests } = await assertSame(subject, row, { recorder });
        assert.equal(requests.length, 3);
      },
    },
    {
      name: 'a late verdict changes nothing any more',
      run: async (subject) => {
        const late = async () => {
          await aMoment();
          return { kind: 'alarm', step: 1, agent: 'planner', reason: 'too late' };
        };
        const tried = await assertSame(subject, row, { reply: late, deadlineMs: 5 });
        await aMoment();
        assert.deepEqual([tried.of('failure').length, tried.of('verdict').length], [3, 0]);
      },
    },
    {
      name: 'something that is no runtime is refused before the first run',
      run: async (subject) => {
        const host = bareHost(subject, row);
        assert.throws(() => subject.harness.plugin.hook(host, {} as never), SetupError);
      },
    },
  ],
};

async function assertHarmless(subject: Subject, reply: ScriptedReply, kind: string): Promise<void> {
  const tried = await assertSame(subject, everything, { reply, deadlineMs: 15 });
  const audited = toldTurns(everything, RUN.task).slice(1);
  assert.deepEqual(
    tried.of('failure').map(({ failure: { kind: told }, enforced }) => [told, enforced]),
    audited.map(() => [kind, 'proceed']),
  );
  assert.deepEqual(tried.of('verdict'), [], 'a failed audit is not a Continue');
}

/** Fails at one audit, counted from 0. */
function failsAt(audit: number): ScriptedReply {
  let asked = 0;
  return () => {
    if (asked++ === audit) throw new Error('no credit');
    return proceed;
  };
}
