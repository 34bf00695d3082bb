import { describe, expect, it } from 'vitest';
import { reflexion } from '../../../bench/baselines/reflexion.js';
import { alarmReply, fails, hangs, replies, SAFE, usage } from '../../support/model-server/behaviours.js';
import { answers, notesOf, questionOf, walking } from '../support/walked-baseline.js';

const accepted = answers({ holds: true, why: 'The sum is checked.' });
const rejected = answers({ holds: false, why: 'Step 2 is wrong.' });
const reflected = answers({ reflection: 'I did not add them up.' });
const alarm = { kind: 'alarm', step: 2, agent: 'solver', reason: 'the sum is wrong' };

describe('Reflexion', () => {
  it('gives the first verdict that its evaluator accepts, in two calls', async () => {
    const { prediction, purposes, calls, server } = await walking(reflexion, [
      replies({ text: SAFE, usage: usage(100, 80, 7) }),
      accepted,
    ]);
    expect(prediction.audits).toMatchObject([{ step: 2, verdict: { kind: 'continue' } }]);
    expect(purposes).toEqual(['verdict', 'thought']);
    expect(calls[0]).toMatchObject({ inputTokens: 100, cachedInputTokens: 80, outputTokens: 7 });
    expect(server.requests.map(({ body }) => body['temperature'])).toEqual([0, 0]);
  });

  it('reflects upon what was rejected, shows the next trial what it made of it, and lets the last trial stand', async () => {
    const { prediction, purposes, server } = await walking(reflexion, [
      replies({ text: SAFE }),
      rejected,
      reflected,
      replies({ text: SAFE }),
      rejected,
      answers({ reflection: 'I trusted the solver.' }),
      replies({ text: alarmReply(2, 'solver') }),
    ]);
    expect(prediction.audits).toMatchObject([{ verdict: alarm }]);
    expect(purposes).toEqual(['verdict', 'thought', 'thought', 'verdict', 'thought', 'thought', 'verdict']);
    const [first, evaluated, reflecting, second, , , third] = server.requests;
    expect(notesOf(first)).toEqual([]);
    expect(questionOf(first)).toMatch(/^Give your verdict\.\n\nReply in exactly this form/);
    expect(notesOf(evaluated)).toEqual([{ verdict: { answer: 'SAFE' } }, { reply: SAFE }]);
    expect(questionOf(evaluated)).toMatch(/Does it hold\?.*"holds"/);
    expect(notesOf(reflecting).at(-1)).toEqual({ objection: 'Step 2 is wrong.' });
    expect(questionOf(reflecting)).toMatch(/what went wrong in your reasoning/);
    expect(notesOf(second)).toEqual([{ reflection: 1, text: 'I did not add them up.' }]);
    expect(notesOf(third)).toEqual([
      { reflection: 1, text: 'I did not add them up.' },
      { reflection: 2, text: 'I trusted the solver.' },
    ]);
    expect(questionOf(third)).toMatch(/^You have tried before/);
  });

  it('remembers no more than it may, and nothing of an earlier prefix', async () => {
    const rounds = [rejected, reflected, replies({ text: SAFE })];
    const { server, purposes } = await walking(
      reflexion,
      [
        ...[1, 2, 3].flatMap(() => [
          replies({ text: SAFE }),
          ...rounds,
          rejected,
          answers({ reflection: 'Again.' }),
          replies({ text: SAFE }),
        ]),
      ],
      { protocol: 'strict', config: { memory: 1 } },
    );
    expect(purposes).toHaveLength(3 * 7);
    expect(notesOf(server.requests[6])).toEqual([{ reflection: 1, text: 'Again.' }]);
    expect(notesOf(server.requests[7])).toEqual([]);
  });

  it('never shows a label, a later turn, or a control token that a model has quoted', async () => {
    const { server } = await walking(
      reflexion,
      [
        replies({ text: alarmReply(0, 'user', 'says <|im_end|>') }),
        rejected,
        answers({ reflection: '</s> [INST]' }),
        replies({ text: SAFE }),
      ],
      { protocol: 'strict', config: { trials: 2 } },
    );
    const prompts = server.requests.map(({ body }) => body.messages[1]?.content ?? '');
    expect(prompts[0]).not.toContain('Add them.');
    expect(prompts[1]).toContain('<\\u007cim_end|>');
    expect(prompts[3]).toContain('\\u003c/s> \\u005bINST]');
    expect(prompts.join()).not.toMatch(/<\|im_end|<\/s>|\[INST/);
  });

  it.each([
    ['no answer', answers('I would say so.'), 'invalid', /no answer/],
    ['an answer without a verdict on it', answers({ holds: 'yes' }), 'invalid', /holds/],
    ['nothing', replies({ text: '' }), 'invalid', /no answer/],
    ['half an answer', replies({ text: '{"holds": tr', finishReason: 'length' }), 'invalid', /cut off/],
    ['a refusal', replies({ text: '', message: { refusal: 'I will not.' } }), 'invalid', /refuses/],
    [
      'an answer that a filter cut short',
      replies({ text: '{"holds": true, "why": ""}', finishReason: 'content_filter' }),
      'invalid',
      /filter/,
    ],
    ['a fault of the server', fails(500, 'oops'), 'unavailable', /oops/],
    ['a prompt that is too long', fails(400, 'context too long'), 'refused', /too long/],
  ] as const)('is no Continue when its evaluator gives %s', async (_, behaviour, kind, message) => {
    const { prediction } = await walking(reflexion, [replies({ text: SAFE }), behaviour]);
    expect(prediction.audits).toMatchObject([{ failure: { kind, message: expect.stringMatching(message) } }]);
  });

  it('asks once more for a verdict that is none, and then gives up', async () => {
    const { prediction, purposes } = await walking(reflexion, [
      replies({ text: 'It is fine.' }),
      replies({ text: alarmReply(9, 'solver') }),
    ]);
    expect(prediction.audits).toMatchObject([
      { failure: { kind: 'invalid', message: expect.stringContaining('there is no step 9') } },
    ]);
    expect(purposes).toEqual(['verdict', 'repair']);
  });

  it('fails as late where the server hangs', async () => {
    const { prediction, calls } = await walking(reflexion, [replies({ text: SAFE }), hangs], {
      deadlineMs: 300,
    });
    expect(prediction.audits).toMatchObject([{ failure: { kind: 'deadline' } }]);
    expect(calls).toMatchObject([{ purpose: 'verdict' }, { purpose: 'thought', failed: 'deadline' }]);
  });
});
