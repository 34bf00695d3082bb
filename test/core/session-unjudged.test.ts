import { expect, it } from 'vitest';
import { alarmOn, auditedRun, says } from '../support/audited-run.js';

it('turns that come after the alarm are due and unjudged, and the session says which', async () => {
  const { session } = auditedRun(alarmOn('4'));
  await session.submit(says('3', { id: 'a' }));
  await session.submit(says('4', { id: 'b' }));
  await session.submit(says('5', { id: 'c' }));
  expect(session.unjudgedIds).toEqual(['c']);
});
