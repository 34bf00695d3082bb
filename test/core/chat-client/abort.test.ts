import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { failure, serving } from '../../support/chat-requests.js';
import { after, type Behaviour, hangs, replies } from '../../support/model-server/behaviours.js';

describe('an abort', () => {
  it.each<[string, Behaviour]>([
    ['before the reply', hangs],
    ['in the middle of a body', (response) => void response.writeHead(200).write('{"choices"')],
  ])('reaches the socket, %s', async (_, behaviour) => {
    const { server, ask } = await serving([
      async (response) => {
        await behaviour(response);
        setTimeout(() => abort(new DOMException('time is up', 'TimeoutError')), 50);
      },
    ]);
    const controller = new AbortController();
    const abort = (reason: Error) => controller.abort(reason);
    const { signal } = controller;
    expect(await failure(ask({ signal }))).toMatchObject({ kind: 'deadline', details: { attempts: 1 } });
    expect(await server.requests[0]?.closedByClient).toBe(true);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });

  it('that is no time-out is told apart', async () => {
    const { ask } = await serving([hangs]);
    const controller = new AbortController();
    const asked = failure(ask({ signal: controller.signal }));
    setTimeout(() => controller.abort(new Error('another was quicker')), 100);
    expect(await asked).toMatchObject({ kind: 'threw', message: 'called off: another was quicker' });
  });

  it('before the request makes none', async () => {
    const { server, ask } = await serving([replies()]);
    expect(await failure(ask({ signal: AbortSignal.abort() }))).toMatchObject({ details: { attempts: 0 } });
    expect(server.requests).toHaveLength(0);
  });

  it('no listener is left on a signal that serves many requests', async () => {
    const warned = vi.fn();
    process.on('warning', warned);
    const { ask } = await serving([after(20, replies())], { concurrency: 4 });
    const { signal } = new AbortController();
    await Promise.all(Array.from({ length: 60 }, () => ask({ signal })));
    await new Promise(setImmediate);
    process.off('warning', warned);
    expect(getEventListeners(signal, 'abort')).toEqual([]);
    expect(warned.mock.calls).toEqual([]);
  });
});
