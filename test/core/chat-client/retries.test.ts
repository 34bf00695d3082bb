import { describe, expect, it, vi } from 'vitest';
import { readRetryAfter } from '../../../core/chat-client/retry-delay.js';
import { failure, serving, within } from '../../support/chat-requests.js';
import { fails, hangsUp, replies, SAFE } from '../../support/model-server/behaviours.js';

describe('retries', () => {
  it('a passing failure is tried again, and every attempt counted', async () => {
    const { ask } = await serving([fails(500), hangsUp, replies()]);
    const sent = vi.fn();
    expect(await ask({ onSent: sent })).toMatchObject({ text: SAFE, attempts: 3 });
    expect(sent).toHaveBeenCalledOnce();
  });

  it('no oftener than they are allowed', async () => {
    const { ask, server } = await serving([fails(500)], { retries: 1 });
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', details: { attempts: 2 } });
    expect(server.requests).toHaveLength(2);
  });

  it.each([
    ['a bad key', fails(401)],
    ['a bad request', fails(400)],
    ['an account without money', fails(429, 'no money', {}, 'insufficient_quota')],
  ])('not after %s', async (_, behaviour) => {
    const { ask } = await serving([behaviour, replies()]);
    expect((await failure(ask())).details.attempts).toBe(1);
  });

  it.each<[string, () => Record<string, string>, number]>([
    ['seconds', () => ({ 'retry-after': '1' }), 1_000],
    ['an HTTP date', () => ({ 'retry-after': new Date(Date.now() + 2_000).toUTCString() }), 1_000],
    ['milliseconds', () => ({ 'retry-after-ms': '700' }), 700],
  ])('wait as long as Retry-After says, in %s', async (_, headers, least) => {
    const { ask } = await serving([(response) => fails(429, 'wait', headers())(response), replies()]);
    const started = performance.now();
    expect(await ask()).toMatchObject({ attempts: 2 });
    expect(performance.now() - started).toBeGreaterThanOrEqual(least);
    expect(performance.now() - started).toBeLessThan(least + 2_000);
  });

  it.each(['-5', 'soon 1', 'in 2099', '1e9', ''])('wait as ever for a Retry-After of "%s"', (given) => {
    expect(readRetryAfter(new Headers({ 'retry-after': given }))).toBeUndefined();
  });

  it.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
    'take a date in any of its forms: %s',
    (given) => {
      expect(readRetryAfter(new Headers({ 'retry-after': given }))).toBe(0);
    },
  );

  it('do not take a Retry-After of months for one of a millisecond where there is no deadline', async () => {
    const { ask, server } = await serving([fails(429, 'wait', { 'retry-after': '9999999' }), replies()]);
    expect(await failure(ask({ deadlineAt: Number.POSITIVE_INFINITY }))).toMatchObject({
      kind: 'rate-limited',
    });
    expect(server.requests).toHaveLength(1);
  });

  it('do not wait for a Retry-After beyond the deadline', async () => {
    const { ask } = await serving([fails(429, 'wait', { 'retry-after': '30' }), replies()]);
    const started = performance.now();
    expect(await failure(ask(within(10_000)))).toMatchObject({
      kind: 'rate-limited',
      details: { attempts: 1 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });

  it('stop sleeping when the request is aborted', async () => {
    const { ask } = await serving([fails(429, 'wait', { 'retry-after': '20' }), replies()]);
    const started = performance.now();
    expect(await failure(ask({ signal: AbortSignal.timeout(800) }))).toMatchObject({
      kind: 'deadline',
      details: { attempts: 1 },
    });
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
