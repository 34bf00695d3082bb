import { describe, expect, it } from 'vitest';
import { failure, serving } from '../../support/chat-requests.js';
import { after, type Behaviour, fails, hangs, replies, SAFE } from '../../support/model-server/behaviours.js';

describe('the circuit breaker', () => {
  const breaker = { failures: 3, cooldownMs: 400 };
  const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

  it.each<[string, Behaviour, number]>([
    ['no service', fails(503), 20_000],
    ['too many requests', fails(429), 20_000],
    ['time-outs', hangs, 150],
  ])(
    'opens after %s in a row, lets one see after a while, and closes when that one is served',
    async (_, bad, patience) => {
      let isDown = true;
      const { ask, server } = await serving(() => (isDown ? bad : after(100, replies())), {
        retries: 0,
        breaker,
      });
      const impatient = () => failure(ask({ signal: AbortSignal.timeout(patience) }));
      for (let i = 0; i < 3; i++) expect((await impatient()).kind).not.toBe('circuit-open');
      expect(await impatient()).toMatchObject({ kind: 'circuit-open', details: { attempts: 0 } });
      expect(server.requests).toHaveLength(3);

      await pause(450);
      expect((await impatient()).kind).not.toBe('circuit-open');
      expect(await impatient()).toMatchObject({ kind: 'circuit-open' });
      expect(server.requests).toHaveLength(4);

      await pause(450);
      isDown = false;
      const probe = ask();
      await pause(20);
      expect(await impatient()).toMatchObject({ kind: 'circuit-open', message: /one request is out to see/ });
      expect(await probe).toMatchObject({ text: SAFE });
      expect(await ask()).toMatchObject({ text: SAFE });
    },
  );

  it.each<[string, Behaviour]>([
    ['a refused key', fails(401)],
    ['refused requests', fails(400)],
  ])('does not open for %s', async (_, behaviour) => {
    const { ask, server } = await serving([behaviour], { retries: 0, breaker });
    for (let i = 0; i < 6; i++) expect((await failure(ask())).kind).not.toBe('circuit-open');
    expect(server.requests).toHaveLength(6);
  });

  it('does not open for requests that were called off', async () => {
    const { ask } = await serving([hangs], { retries: 0, breaker });
    for (let i = 0; i < 6; i++) {
      const controller = new AbortController();
      setTimeout(() => controller.abort(new Error('no more')), 30);
      expect(await failure(ask({ signal: controller.signal }))).toMatchObject({ kind: 'threw' });
    }
  });

  it.each<[string, Behaviour, boolean]>([
    ['is refused closes it: the server is there', fails(400), true],
    ['is called off leaves it open: nothing was seen', hangs, false],
  ])('a request that goes ahead and %s', async (_, behaviour, closes) => {
    let isDown = true;
    const { ask } = await serving(() => (isDown ? fails(503) : behaviour), { retries: 0, breaker });
    for (let i = 0; i < 3; i++) await failure(ask());
    await pause(450);
    isDown = false;
    const controller = new AbortController();
    setTimeout(() => controller.abort(new Error('no more')), 150);
    expect((await failure(ask({ signal: controller.signal }))).kind).toBe(closes ? 'refused' : 'threw');
    const { kind } = await failure(ask({ signal: AbortSignal.timeout(150) }));
    expect(kind === 'circuit-open').toBe(!closes);
  });

  it('a request that was made and failed says so, though its retry finds the circuit open', async () => {
    const { ask } = await serving([fails(503, 'down')], { retries: 5, breaker: { failures: 3 } });
    expect(await failure(ask())).toMatchObject({ kind: 'unavailable', details: { attempts: 3 } });
  });
});
