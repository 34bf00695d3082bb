import { expect, it } from 'vitest';
import { zeroShot } from '../../../bench/baselines/zero-shot.js';
import { alarmReply, fails, replies, SAFE } from '../../support/model-server/behaviours.js';
import { walking } from '../support/walked-baseline.js';

const alarm = replies({ text: alarmReply(2, 'solver') });

it('asks once at each prefix, greedily and in the published order, until the first alarm', async () => {
  const { prediction, server, purposes, auditor } = await walking(
    zeroShot,
    [replies({ text: SAFE }), replies({ text: SAFE }), alarm],
    {
      protocol: 'strict',
    },
  );
  expect(auditor.name).toBe('zero-shot tiny');
  expect(prediction.audits.map(({ verdict }) => verdict?.kind)).toEqual(['continue', 'continue', 'alarm']);
  expect(purposes).toEqual(['verdict', 'verdict', 'verdict']);
  expect(server.requests.map(({ body }) => body['temperature'])).toEqual([0, 0, 0]);
  const prompts = server.requests.map(({ body }) => body.messages[1]?.content);
  expect(prompts[1]).toBe(
    'Task: Sum 2 and 2.\nObserved up to step 1 (total 2 steps):\n' +
      '[step 0] role: user\nthought: \naction: \ncontent: Sum 2 and 2.\n' +
      '[step 1] role: planner\nthought: \naction: \ncontent: Add them.\nYour verdict?',
  );
});

it('can be asked in the append-only order', async () => {
  const { server } = await walking(zeroShot, [alarm], {
    config: { layout: 'append-only', maxReplyTokens: 99 },
  });
  expect(server.requests[0]?.body).toMatchObject({ max_tokens: 99 });
  expect(server.requests[0]?.body.messages[1]?.content).toMatch(/^\{"task":"Sum 2 and 2\."\}\n/);
});

it('is no Continue where a reply is no verdict twice, or the server fails', async () => {
  const script = [
    replies({ text: 'SAFE' }),
    replies({ text: 'SAFE!' }),
    fails(500, 'oops'),
    replies({ text: 'SAFE' }),
    alarm,
  ];
  const { prediction, purposes } = await walking(zeroShot, script, { protocol: 'strict' });
  expect(prediction.audits).toMatchObject([
    { failure: { kind: 'invalid' } },
    { failure: { kind: 'unavailable' } },
    { verdict: { kind: 'alarm', step: 2 } },
  ]);
  expect(purposes).toEqual(['verdict', 'repair', 'verdict', 'verdict', 'repair']);
});
