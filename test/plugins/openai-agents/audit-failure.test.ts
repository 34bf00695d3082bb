import { expect, test } from 'vitest';
import { AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, watched } from './audited.js';
import { calls, says } from './replying-model.js';

class NoCredit extends Error {}

const auditor = { audit: () => Promise.reject(new NoCredit('no credit')) };

function looking() {
  const ran: string[] = [];
  const reply = (request: Parameters<typeof isAnswered>[0]) =>
    isAnswered(request) ? says('It is 40') : calls('look');
  return { ran, agent: replying('boss', reply, { tools: [noting(ran, 'look')] }) };
}

test('what an auditor throws is no error of the run', async () => {
  const { ran, agent } = looking();
  const { runtime, of, outcomes } = watched({ auditor });
  const result = await withAuditor(bareRunner(), runtime).run(agent, 'go');
  expect([result.finalOutput, ran, outcomes()]).toEqual(['It is 40', ['look'], ['completed']]);
  expect(new Set(of('failure').map(({ failure }) => failure.message))).toEqual(new Set(['no credit']));
});

test('where it is to halt the run, the error is a halt that says why and blames nobody', async () => {
  const { ran, agent } = looking();
  const { runtime, outcomes } = watched({ auditor, onAuditFailure: 'halt' });
  const error = await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go'));
  expect(error).toBeInstanceOf(AuditorTripwireTriggered);
  expect(error).not.toBeInstanceOf(NoCredit);
  expect(error).toMatchObject({
    alarm: undefined,
    failure: { failure: { kind: 'threw', message: 'no credit' } },
  });
  expect([ran, outcomes()]).toEqual([[], ['halted']]);
});
