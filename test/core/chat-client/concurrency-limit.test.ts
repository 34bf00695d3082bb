import { describe, expect, it } from 'vitest';
import { failure, serving } from '../../support/chat-requests.js';
import { after, replies, SAFE } from '../../support/model-server/behaviours.js';

describe('the concurrency limit', () => {
  it('holds, in the order of coming', async () => {
    let open = 0;
    let most = 0;
    const { ask, server } = await serving(
      () => async (response) => {
        most = Math.max(most, ++open);
        await after(30, replies())(response);
        open--;
      },
      { concurrency: 3 },
    );
    await Promise.all(Array.from({ length: 12 }, () => ask()));
    expect(server.requests).toHaveLength(12);
    expect(most).toBe(3);
  });

  it('whoever is aborted in the queue leaves it at once, and no place is lost', async () => {
    const { ask, server } = await serving([after(500, replies()), replies()], { concurrency: 1 });
    const first = ask();
    const started = performance.now();
    const waiting = Array.from({ length: 20 }, () => failure(ask({ signal: AbortSignal.timeout(100) })));
    for (const thrown of await Promise.all(waiting)) {
      expect(thrown).toMatchObject({ kind: 'deadline', details: { attempts: 0 } });
    }
    expect(performance.now() - started).toBeLessThan(450);
    expect(await first).toMatchObject({ text: SAFE });
    expect(await ask()).toMatchObject({ text: SAFE });
    expect(server.requests).toHaveLength(2);
  });
});
