import { MemorySession } from '@openai/agents';
import { expect, test } from 'vitest';
import { type AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, says } from './replying-model.js';

const kinds = async (session: MemorySession) =>
  (await session.getItems()).map((item) => ('role' in item ? item.role : item.type));

const working = (ran: string[] = []) =>
  replying('boss', (request) => (isAnswered(request) ? says('done') : calls('wrong')), {
    tools: [noting(ran, 'wrong', () => 'as was asked')],
  });

const answering = () =>
  replying('boss', (request) => (isAnswered(request) ? says('wrong') : calls('look')), {
    tools: [noting([], 'look')],
  });

test('what a session remembers is given; the newest word is the task', async () => {
  const { runtime, turns, of } = watched();
  const session = new MemorySession();
  const runner = withAuditor(bareRunner(), runtime);
  await runner.run(replying('boss', 'hello'), 'hi', { session });
  await runner.run(replying('boss', 'fine'), 'how are you?', { session });
  expect(of('run').map(({ task }) => task)).toEqual(['hi', 'how are you?']);
  const second = of('run')[1]?.runId;
  const told = of('turn').filter(({ runId }) => runId === second);
  expect(told.map(({ turn }) => [turn.kind, turn.content, turn.given === true])).toEqual([
    ['user', 'hi', true],
    ['agent', 'hello', true],
    ['user', 'how are you?', true],
    ['agent', 'fine', false],
  ]);
  expect(turns()).toHaveLength(6);
});

test('a session is filled as by the bare runner', async () => {
  const { runtime } = watched();
  const [bare, audited] = [new MemorySession(), new MemorySession()];
  await bareRunner().run(working(), 'go', { session: bare });
  await withAuditor(bareRunner(), runtime).run(working(), 'go', { session: audited });
  expect(await audited.getItems()).toEqual(await bare.getItems());
});

test.each([
  [false, []],
  [true, ['user']],
])('of a halted run a session remembers no word of the agents (stream: %s)', async (stream, remembered) => {
  const { runtime } = watched({ auditor: strict() });
  const session = new MemorySession();
  const runner = withAuditor(bareRunner(), runtime);
  const run = async () => {
    if (!stream) return runner.run(working(), 'go', { session });
    return (await runner.run(working(), 'go', { session, stream })).completed;
  };
  await errorOf(run());
  expect(await kinds(session)).toEqual(remembered);
});

// Not streamed, the SDK saves the user's word with the result only, and a run that takes up a state has none to save.
test.each([
  [false, []],
  [true, ['user']],
])(
  'a halted run that is taken up fills the session with all that follows the user’s word (stream: %s)',
  async (stream, first) => {
    for (const says of [false, true]) {
      const { runtime } = watched({ auditor: strict() });
      const session = new MemorySession();
      const runner = withAuditor(bareRunner(), runtime);
      const agent = says ? answering() : working();
      const run = async (input: never) => {
        if (!stream) return runner.run(agent, input, { session });
        return (await runner.run(agent, input, { session, stream })).completed;
      };
      const { state } = (await errorOf(run('go' as never))) as AuditorTripwireTriggered;
      await run(state as never);
      expect(await kinds(session)).toEqual([...first, 'function_call', 'function_call_result', 'assistant']);
    }
  },
);
