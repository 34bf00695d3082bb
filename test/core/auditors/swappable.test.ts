import { expect, it } from 'vitest';
import { cascade } from '../../../core/auditors/cascade.js';
import { shadow } from '../../../core/auditors/shadow.js';
import { swappable } from '../../../core/auditors/swappable.js';
import { SetupError } from '../../../core/errors.js';
import { memoryRecorder } from '../../../core/recorders/memory-recorder.js';
import { createRuntime } from '../../../core/runtime.js';
import type { Schedule } from '../../../core/schedule.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { alarmAt, auditedRun, gateway, says, settle } from '../../support/audited-run.js';
import { inARow } from '../../support/graphs.js';
import { named } from '../../support/opinions.js';

const fine = { kind: 'continue' } as const;

it('a LangGraph run goes on under the auditor that is put in midway, and the log names both', async () => {
  const [old, next] = [named('old', fine), named('new', fine)];
  const auditor = swappable(old);
  const { records, ...recorder } = memoryRecorder();
  const graph = inARow({
    plan: () => 'I plan.',
    solve: () => {
      auditor.swap(next);
      return 'I solve.';
    },
    check: () => 'I check.',
  });
  await withAuditor(graph, createRuntime({ auditor, recorder })).invoke({ messages: [] });
  expect([old.asked, next.asked]).toEqual([1, 2]);
  const judged = records.flatMap((record) =>
    record.type === 'verdict' ? [[record.step, record.auditor]] : [],
  );
  expect(judged.map(([, name]) => name)).toEqual([undefined, 'new', 'new']);
  expect(records.flatMap((record) => (record.type === 'run' ? [record.auditor] : []))).toEqual(['old']);
  expect(records.at(-1)).toMatchObject({ type: 'close', outcome: { status: 'completed' } });
});

it('an audit under way ends with the auditor that it began with', async () => {
  const answer = gateway();
  const old = named('old', () => answer.opened.then(() => alarmAt(1, 'solver', 'said by the old one')));
  const auditor = swappable(old);
  const { session, of } = auditedRun(auditor.audit, { auditor, onAlarm: 'observe' });
  const submitted = session.submit(says('3'));
  auditor.swap(named('new', fine));
  answer.open();
  await submitted;
  expect(of('verdict')).toEqual([
    expect.objectContaining({ verdict: alarmAt(1, 'solver', 'said by the old one') }),
  ]);
  expect(of('verdict')[0]?.auditor).toBeUndefined();
});

it('a failure, too, says whose it is; a run that opens later is named for the new one', async () => {
  const auditor = swappable(named('old', fine));
  const first = auditedRun(auditor.audit, { auditor });
  auditor.swap(named('new', new Error('down')));
  await first.session.submit(says('3'));
  expect(first.of('failure')[0]?.auditor).toBe('new');
  const second = auditedRun(auditor.audit, { auditor });
  await second.session.submit(says('3'));
  expect(second.of('run')[0]?.auditor).toBe('new');
  expect(second.of('failure')[0]?.auditor).toBeUndefined();
});

it('the schedule follows the current one, unless the runtime has one', async () => {
  const never: Schedule = { due: () => false };
  const [old, next] = [named('old', fine), named('new', fine, never)];
  const auditor = swappable(old);
  const { records, ...recorder } = memoryRecorder();
  const session = createRuntime({ auditor, recorder }).openSession({ runId: 'run', task: '' });
  await session.submit(says('1'));
  auditor.swap(next);
  await session.submit(says('2'));
  expect(records.flatMap((record) => (record.type === 'turn' ? [record.due] : []))).toEqual([
    false,
    true,
    false,
  ]);
  await auditedRun(auditor.audit, { auditor }).session.submit(says('3'));
  expect(next.asked).toBe(1);
});

it('what is no auditor is refused, and the current one stays', () => {
  const first = named('first', fine);
  const auditor = swappable(first);
  expect(() => swappable(undefined as never)).toThrow(SetupError);
  expect(() => auditor.swap({} as never)).toThrow(SetupError);
  expect(() => auditor.swap(auditor)).toThrow(SetupError);
  expect([auditor.current, auditor.name]).toEqual([first, 'first']);
});

it('one that is made of itself is refused: it would ask without end', async () => {
  const [first, cheap] = [named('first', fine), named('cheap', fine)];
  const auditor = swappable(first);
  expect(() => auditor.swap(cascade([cheap, auditor]))).toThrow(/cannot stand in for itself/);
  expect(() => auditor.swap(shadow(auditor, cheap))).toThrow(SetupError);
  expect(auditor.current).toBe(first);
  auditor.swap(cascade([cheap, auditor.current]));
  expect(auditor.name).toBe('cascade(cheap, first)');
});

it('one that has itself for a candidate asks it once a turn, which is told', async () => {
  const next = named('next', fine);
  const auditor = swappable(named('first', fine));
  auditor.swap(shadow(next, auditor));
  const { session, of } = auditedRun(auditor.audit, { auditor });
  await session.submit(says('3'));
  await settle();
  await session.close({ status: 'completed' });
  expect(next.asked).toBe(1);
  expect(of('note')).toEqual([
    expect.objectContaining({
      note: expect.objectContaining({ failure: expect.objectContaining({ kind: 'threw' }), shadow: true }),
    }),
  ]);
});

it('one and the same may be asked twice about one turn', async () => {
  const first = named('first', () => {
    throw new Error('busy');
  });
  const auditor = swappable(first);
  const { session, of } = auditedRun(cascade([auditor, auditor]).audit);
  await session.submit(says('3'));
  expect(first.asked).toBe(2);
  expect(of('failure')[0]?.failure.message).toBe('first: busy');
});
