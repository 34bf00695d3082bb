import { expect, test } from 'vitest';
import { AuditHalt, outcomeAfter } from '../../../core/index.js';

const halt = new AuditHalt({ alarm: undefined, failure: undefined, runId: 'r', turns: [], verdicts: [] });

test.each([
  ['a halt', halt, 'halted'],
  ['an abort', new DOMException('gone', 'AbortError'), 'aborted'],
  ['anything else', new TypeError('no network'), 'failed'],
  ['what is no error', 'no network', 'failed'],
])('%s', (_what, error, status) => {
  expect(outcomeAfter(error).status).toBe(status);
});

test('an abort with a reason of the caller’s own is an abort all the same', () => {
  const reason = new Error('the user left');
  expect(outcomeAfter(reason, AbortSignal.abort(reason))).toEqual({
    status: 'aborted',
    error: 'the user left',
  });
});
