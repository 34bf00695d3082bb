import { describe, expect, it } from 'vitest';
import { auditing } from '../../../support/chat-audits.js';
import { alarmReply, type Behaviour, fails, replies } from '../../../support/model-server/behaviours.js';
import { replyTokens } from '../../../support/model-server/reply-tokens.js';
import type { SeenChat } from '../../../support/model-server.js';

describe('a probe', () => {
  const probe = { threshold: 0.9 };
  const isProbe = ({ body }: SeenChat) => body['max_tokens'] === 1;
  const probed = (safe: number): Behaviour =>
    replies({
      text: ' "',
      tokens: replyTokens([[' "', { ' "': safe, ' ': 1 - safe }]]),
      finishReason: 'length',
    });

  it('that is sure of SAFE is the verdict', async () => {
    const { audit, purposes, server } = await auditing([probed(0.97)], { probe });
    expect(await audit()).toEqual({ kind: 'continue', score: expect.closeTo(0.03) });
    expect(purposes()).toEqual(['probe']);
    expect(server.requests[0]?.body).toMatchObject({
      max_tokens: 1,
      continue_final_message: true,
      add_generation_prompt: false,
      messages: [
        { role: 'system' },
        { role: 'user' },
        { role: 'assistant', content: '<think></think><answer>{"answer":' },
      ],
    });
  });

  it.each([
    ['that is not sure', probed(0.7)],
    ['that would alarm', probed(0.01)],
    ['that says something else', replies({ text: 'Well', tokens: replyTokens(['Well']) })],
  ])('%s is followed by the full question, which begins alike', async (_, behaviour) => {
    const { audit, purposes, server } = await auditing(
      [behaviour, replies({ text: alarmReply(2, 'solver') })],
      { probe },
    );
    expect(await audit()).toMatchObject({ kind: 'alarm' });
    expect(purposes()).toEqual(['probe', 'verdict']);
    const [first, second] = server.requests.map(({ body }) => body.messages);
    expect(first?.slice(0, 2)).toEqual(second);
  });

  it.each<[string, Behaviour]>([
    ['refuses it', fails(400, 'Extra inputs are not permitted: continue_final_message')],
    ['gives no log-probabilities', replies({ text: ' "' })],
  ])('is not tried again on a server that %s', async (_, behaviour) => {
    const { audit, purposes } = await auditing((seen) => (isProbe(seen) ? behaviour : replies()), { probe });
    expect(await audit()).toEqual({ kind: 'continue' });
    expect(await audit()).toEqual({ kind: 'continue' });
    expect(purposes()).toEqual(['probe', 'verdict', 'verdict']);
  });

  it('that fails for another reason fails the audit', async () => {
    const { audit, server } = await auditing((seen) => (isProbe(seen) ? fails(503) : replies()), { probe });
    await expect(audit()).rejects.toMatchObject({ kind: 'unavailable' });
    expect(server.requests).toHaveLength(1);
  });

  it('whatever the model refuses, a full question that fails too proves nothing against probes', async () => {
    let isTooLong = true;
    const { audit, purposes } = await auditing(() => (isTooLong ? fails(400, 'context') : probed(0.99)), {
      probe,
    });
    await expect(audit()).rejects.toMatchObject({ kind: 'refused' });
    isTooLong = false;
    await audit();
    expect(purposes().at(-1)).toBe('probe');
  });
});
