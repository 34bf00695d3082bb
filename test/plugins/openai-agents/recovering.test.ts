import { expect, test } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, type ReplyingModel, says } from './replying-model.js';

/** Goes wrong at first, and does better when it is told why. */
const learning = (ran: string[], heard: string[] = []) =>
  replying(
    'boss',
    (request) => {
      const input = JSON.stringify(request.input);
      heard.push(input);
      if (isAnswered(request)) return says('done');
      return input.includes('judged wrong') ? calls('look') : calls('wrong');
    },
    { tools: [noting(ran, 'look'), noting(ran, 'wrong')] },
  );

test.each([false, true])(
  'the model is asked again, with the reason, before its tool runs (stream: %s)',
  async (stream) => {
    const { runtime, outcomes, of } = watched({ auditor: strict(), onAlarm: 'recover' });
    const ran: string[] = [];
    const heard: string[] = [];
    const runner = withAuditor(bareRunner(), runtime);
    const agent = learning(ran, heard);
    const output = stream
      ? await runner.run(agent, 'go', { stream: true }).then(async (result) => {
          await result.completed;
          return result.finalOutput;
        })
      : (await runner.run(agent, 'go')).finalOutput;
    expect([output, ran]).toEqual(['done', ['look']]);
    expect(heard[1]).toContain('it is wrong');
    expect(outcomes()).toEqual(['halted', 'completed']);
    expect(of('run')[1]).toMatchObject({ continues: of('run')[0]?.runId });
  },
);

test('a conversation that the provider keeps cannot be taken back: the run is halted', async () => {
  const { runtime, outcomes } = watched({ auditor: strict(), onAlarm: 'recover' });
  const agent = learning([]);
  const run = withAuditor(bareRunner(), runtime).run(agent, 'go', { conversationId: 'conv_1' });
  expect(await errorOf(run)).toBeInstanceOf(AuditHalt);
  expect((agent.model as ReplyingModel).asked).toBe(1);
  expect(outcomes()).toEqual(['halted']);
});
