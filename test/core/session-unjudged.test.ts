import { expect, it } from 'vitest';
import { alarmOn, approve, at, auditedRun, gateway, says } from '../support/audited-run.js';

it('turns that come after the alarm are due and unjudged, and the session says which', async () => {
  const { session } = auditedRun(alarmOn('4'));
  await session.submit(says('3', { id: 'a' }));
  await session.submit(says('4', { id: 'b' }));
  await session.submit(says('5', { id: 'c' }));
  expect(session.unjudgedIds).toEqual(['c']);
});

const continues = {
  runId: 'earlier',
  turns: [says('3', { id: 'a' }), says('5', { id: 'c', path: [at(1, 'x')] })],
  unjudged: ['c'],
};

it('a run that takes them over has them judged first, with what came before in view, and is ready then', async () => {
  const verdict = gateway();
  const audit = async () => {
    await verdict.opened;
    return { kind: 'continue' } as const;
  };
  const { session, of } = auditedRun(audit, {}, { continues });
  let isReady = false;
  const ready = session.ready().then((decision) => {
    isReady = true;
    return decision;
  });
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect(isReady).toBe(false);
  verdict.open();
  expect(await ready).toEqual({ action: 'proceed' });
  expect(of('verdict')).toMatchObject([{ turnId: 'c', step: 1 }]);
  expect(of('turn'), 'they stand in the log of the run that said them').toEqual([]);
  expect(session.turns().map(({ id, given }) => [id, given])).toEqual([
    ['a', true],
    ['c', undefined],
  ]);
});

it('an alarm on one of them stops the run before it goes on', async () => {
  const { session } = auditedRun(alarmOn('5'), {}, { continues });
  expect(await session.ready()).toMatchObject({ action: 'halt', halt: { alarm: { step: 1 } } });
});

it('a run that takes nothing over is ready at once', async () => {
  expect(await auditedRun(approve).session.ready()).toEqual({ action: 'proceed' });
});
