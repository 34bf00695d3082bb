import { describe, expect, it } from 'vitest';
import { auditing, scored } from '../../../support/chat-audits.js';
import {
  after,
  alarmReply,
  type Behaviour,
  fails,
  replies,
  SAFE,
} from '../../../support/model-server/behaviours.js';
import type { SeenChat } from '../../../support/model-server.js';

describe('log-probabilities', () => {
  const refusing: (seen: SeenChat) => Behaviour = ({ body }) =>
    body['logprobs'] ? fails(400, 'unknown parameter: logprobs') : replies();

  it('are not asked for again from a server that refuses them', async () => {
    const { audit, server } = await auditing(refusing);
    expect(await audit()).toEqual({ kind: 'continue' });
    expect(await audit()).toEqual({ kind: 'continue' });
    expect(server.requests.map(({ body }) => body['logprobs'])).toEqual([true, undefined, undefined]);
  });

  it('are not to blame for a request that is refused without them too', async () => {
    let isTooLong = true;
    const { audit, server } = await auditing(() => (isTooLong ? fails(400, 'context') : replies()));
    await expect(audit()).rejects.toMatchObject({ kind: 'refused' });
    isTooLong = false;
    await audit();
    expect(server.requests.at(-1)?.body).toMatchObject({ logprobs: true });
    isTooLong = true;
    const before = server.requests.length;
    await expect(audit()).rejects.toMatchObject({ kind: 'refused' });
    expect(server.requests.length - before).toBe(1);
  });
});

describe('a server that has given log-probabilities', () => {
  it('is asked for them again, whatever it refused just before', async () => {
    // The second audit overtakes the first, which is asking anew.
    const script = [fails(400, 'busy'), after(200, replies()), replies(), replies()];
    const { audit, server } = await auditing(script);
    const first = audit();
    while (server.requests.length < 2) await new Promise((resolve) => setTimeout(resolve, 5));
    await audit();
    await first;
    await audit();
    expect(server.requests.map(({ body }) => body['logprobs'])).toEqual([true, undefined, true, true]);
  });
});

describe('log-probabilities that are none', () => {
  it.each([800, 1e6])('%s: cost no verdict', async (logprob) => {
    const value = { token: ' "', logprob, top_logprobs: [{ token: ' ', logprob }] };
    const rest = SAFE.split('"answer": "')[1] as string;
    const before = { token: `${SAFE.split('"answer": "')[0]}"answer":`, logprob: 0 };
    const { audit } = await auditing([replies({ tokens: [before, value, { token: rest, logprob: 0 }] })]);
    expect(await audit()).toEqual({ kind: 'continue', score: 0.5 });
  });
});

describe('votes', () => {
  it('give the score where there are no log-probabilities', async () => {
    const { audit, server, purposes } = await auditing(
      ({ body }, count) => {
        if (body['temperature'] === 0) return replies();
        return [
          replies({ text: alarmReply(2, 'solver') }),
          replies(),
          fails(500),
          replies({ text: '?' }),
          replies(),
        ][count - 1] as Behaviour;
      },
      { votes: 5, concurrency: 1 },
    );
    expect(await audit()).toEqual({ kind: 'continue', score: expect.closeTo(1 / 3) });
    expect(purposes()).toEqual(['verdict', 'vote', 'vote', 'vote', 'vote', 'vote']);
    expect(server.requests.map(({ body }) => body['temperature'])).toEqual([0, 0.7, 0.7, 0.7, 0.7, 0.7]);
    expect(new Set(server.requests.map(({ body }) => JSON.stringify(body.messages))).size).toBe(1);
  });

  it('are not cast where there are', async () => {
    const { audit, purposes } = await auditing([scored(SAFE, 0.1)], { votes: 5 });
    expect(await audit()).toMatchObject({ score: expect.closeTo(0.1) });
    expect(purposes()).toEqual(['verdict']);
  });

  it('that were cut off, or withheld, do not count', async () => {
    const votes = ['length', 'content_filter', 'stop'].map((finishReason) =>
      replies({ text: finishReason === 'stop' ? SAFE : alarmReply(2, 'solver'), finishReason }),
    );
    const { audit } = await auditing([replies(), ...votes], { votes: 3, concurrency: 1 });
    expect(await audit()).toEqual({ kind: 'continue', score: 0 });
  });

  it('that cannot be read leave the verdict without a score', async () => {
    const { audit } = await auditing((_, count) => (count === 0 ? replies() : replies({ text: '?' })), {
      votes: 2,
    });
    expect(await audit()).toEqual({ kind: 'continue' });
  });
});
