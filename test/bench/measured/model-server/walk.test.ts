import { expect, onTestFinished, test } from 'vitest';
import { ReplyTap } from '../../../../bench/measured/model-server/reply-tap.js';
import { tally } from '../../../../bench/measured/model-server/tally.js';
import { type AuditedStep, walk } from '../../../../bench/measured/model-server/walk.js';
import type { RecordedRun } from '../../../../collectors/recorded-run.js';
import { chatAuditor, everyTurn } from '../../../../core/index.js';
import {
  alarmReply,
  type Behaviour,
  fails,
  hangs,
  malformed,
  replies,
  SAFE,
  usage,
} from '../../../support/model-server/behaviours.js';
import { type ModelServer, modelServer } from '../../../support/model-server.js';

const run: RecordedRun = {
  runId: 'sum',
  source: 'here',
  task: 'What is 2 + 2?',
  tools: [],
  turns: [
    { agent: 'user', kind: 'user', content: 'What is 2 + 2?' },
    { agent: 'solver', kind: 'agent', content: 'It is 5.' },
    { agent: 'checker', kind: 'agent', content: 'So the answer is 5.' },
    { agent: 'writer', kind: 'agent', content: 'Five.' },
  ],
  quirks: [],
};

/** Each request is answered by the next behaviour. */
async function walked(
  behaviours: readonly Behaviour[],
  onRequest: (count: number, stop: AbortController) => void = () => {},
): Promise<{ audits: readonly AuditedStep[]; server: ModelServer }> {
  const stop = new AbortController();
  const server = await modelServer((_, count) => {
    onRequest(count, stop);
    return behaviours[count] ?? fails(400, 'nothing is left to say');
  });
  const tap = await ReplyTap.before(server.baseURL);
  onTestFinished(() => tap.close());
  const audits: AuditedStep[] = [];
  const auditor = chatAuditor({ baseURL: tap.baseURL, model: 'tiny', schedule: everyTurn() });
  const onAudit = (audit: AuditedStep) => audits.push(audit);
  await walk(run, { auditor, layout: 'append-only', tap, stop: stop.signal, onAudit });
  return { audits, server };
}

test('each call is told with its reply and what is wrong with it, until the first alarm', async () => {
  const { audits } = await walked([
    replies({ text: 'All is well.', usage: usage(100, 0, 5) }),
    replies({ text: SAFE, usage: usage(130, 100, 20) }),
    replies({ text: SAFE, finishReason: 'length' }),
    replies({ text: SAFE.replace('null', '"solver"') }),
    replies({ text: alarmReply(1, 'solver'), usage: usage(200, 110, 30) }),
  ]);
  const told = audits.map(({ step, exchanges }) => [
    step,
    ...exchanges.map(({ call, reply, fault }) => [call.purpose, reply?.text.slice(0, 7), fault]),
  ]);
  expect(told).toEqual([
    [0, ['verdict', 'All is ', 'answer-missing'], ['repair', '<think>', undefined]],
    [1, ['verdict', '<think>', 'cut-off'], ['repair', '<think>', 'safe-with-blame']],
    [2, ['verdict', '<think>', undefined]],
  ]);
  expect(tally(audits)).toMatchObject({
    audits: 3,
    continues: 1,
    alarms: 1,
    failures: { invalid: 1 },
    replies: { parsed: 2, parsedAtRepair: 1, faults: { 'answer-missing': 1, 'cut-off': 1 } },
    firstCalls: { prompt: 310, cached: 110, cachedShare: 0.3548 },
  });
});

test('a reply that came after a retry stands beside its own call', async () => {
  const { audits } = await walked([malformed, fails(503), replies(), fails(400), fails(400), fails(400)]);
  expect(audits[0]?.exchanges).toMatchObject([{ call: { attempts: 3 }, reply: { text: SAFE } }]);
  expect(audits[1]?.exchanges).toMatchObject([{ call: { failed: 'refused' }, reply: undefined }]);
  expect(tally(audits)).toMatchObject({ continues: 1, failures: { refused: 3 }, replies: { parsed: 1 } });
});

test('a stop frees the model and leaves the audits before it', async () => {
  const { audits, server } = await walked([replies(), hangs], (count, stop) => {
    if (count === 1) setTimeout(() => stop.abort(), 50);
  });
  expect(audits.map(({ step }) => step)).toEqual([0]);
  expect(await server.requests[1]?.closedByClient).toBe(true);
});
