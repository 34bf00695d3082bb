import { type Agent, type Runner, RunState } from '@openai/agents';
import { expect, test } from 'vitest';
import { AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import {
  type AnyState,
  bareRunner,
  errorOf,
  isAnswered,
  noting,
  replying,
  strict,
  watched,
} from './audited.js';
import { calls, type ReplyingModel, says } from './replying-model.js';

/** An agent whose tool a human must approve. */
const careful = (ran: string[], name = 'boss', result = 'sent') =>
  replying(name, (request) => (isAnswered(request) ? says('done') : calls('send')), {
    tools: [noting(ran, 'send', () => result, { needsApproval: true })],
  });

async function asked(runner: Runner, agent: Agent, stream: boolean) {
  if (!stream) return runner.run(agent, 'go');
  const result = await runner.run(agent, 'go', { stream });
  await result.completed;
  return result;
}

async function answered(runner: Runner, agent: Agent, state: AnyState, stream: boolean) {
  if (!stream) return runner.run(agent, state);
  const result = await runner.run(agent, state, { stream });
  await result.completed;
  return result;
}

test.each([false, true])(
  'a run that asks a human is interrupted, and its state takes it up (stream: %s)',
  async (stream) => {
    const { runtime, told, outcomes, of } = watched();
    const ran: string[] = [];
    const agent = careful(ran);
    const runner = withAuditor(bareRunner(), runtime);
    const first = await asked(runner, agent, stream);
    expect(first.interruptions).toHaveLength(1);
    expect([ran, outcomes()]).toEqual([[], ['interrupted']]);
    for (const one of first.interruptions) first.state.approve(one);
    const second = await answered(runner, agent, first.state, stream);
    expect([second.finalOutput, ran]).toEqual(['done', ['send']]);
    expect(told()).toEqual(['user, user: go', 'boss, agent: ', 'boss, tool: sent', 'boss, agent: done']);
    expect(outcomes()).toEqual(['interrupted', 'completed']);
    const [one, two] = of('run');
    expect(two).toMatchObject({ task: 'go', continues: one?.runId });
  },
);

test.each([false, true])(
  'a state that was serialised is taken up by a new process, whose log begins with what it says (stream: %s)',
  async (stream) => {
    const before = watched();
    const first = await asked(withAuditor(bareRunner(), before.runtime), careful([]), stream);
    const saved = JSON.stringify(first.state);

    const { runtime, turns, of, outcomes } = watched();
    const ran: string[] = [];
    const agent = careful(ran);
    const state = await RunState.fromString(agent, saved);
    for (const one of state.getInterruptions()) state.approve(one);
    const second = await answered(withAuditor(bareRunner(), runtime), agent, state, stream);
    expect([second.finalOutput, ran]).toEqual(['done', ['send']]);
    expect(of('run')).toMatchObject([{ task: 'go' }]);
    expect(turns().map(({ agent, kind, content, given }) => [agent, kind, content, given === true])).toEqual([
      ['user', 'user', 'go', true],
      ['boss', 'agent', '', true],
      ['boss', 'tool', 'sent', false],
      ['boss', 'agent', 'done', false],
    ]);
    expect(turns()[2]).toMatchObject({ toolName: 'send', toolCallId: 'send-call' });
    expect(outcomes()).toEqual(['completed']);
  },
);

test('what a human has approved is judged when it has run', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const agent = careful([], 'boss', 'the wrong address');
  const runner = withAuditor(bareRunner(), runtime);
  const first = await runner.run(agent, 'go');
  for (const one of first.interruptions) first.state.approve(one);
  expect(await errorOf(runner.run(agent, first.state))).toMatchObject({ result: { step: 2, agent: 'boss' } });
  expect((agent.model as ReplyingModel).asked).toBe(1);
  expect(outcomes()).toEqual(['interrupted', 'halted']);
});

test('what a human has refused is told as the tool’s answer', async () => {
  const { runtime, turns } = watched();
  const ran: string[] = [];
  const agent = careful(ran);
  const runner = withAuditor(bareRunner(), runtime);
  const first = await runner.run(agent, 'go');
  for (const one of first.interruptions) first.state.reject(one);
  await runner.run(agent, first.state);
  expect(ran).toEqual([]);
  expect(turns()[2]).toMatchObject({ kind: 'tool', toolName: 'send', agent: 'boss' });
});

test('an alarm comes before a human is asked', async () => {
  const { runtime, outcomes } = watched({ auditor: strict() });
  const agent = replying('boss', () => [...says('wrong'), ...calls('send')], {
    tools: [noting([], 'send', undefined, { needsApproval: true })],
  });
  expect(await errorOf(withAuditor(bareRunner(), runtime).run(agent, 'go'))).toBeInstanceOf(
    AuditorTripwireTriggered,
  );
  expect(outcomes()).toEqual(['halted']);
});

test('of a question and a tool in one response, the tool’s result is told once', async () => {
  const { runtime, told, outcomes } = watched();
  const ran: string[] = [];
  const agent = replying(
    'boss',
    (request) => (isAnswered(request) ? says('done') : [...calls('look'), ...calls('send')]),
    { tools: [noting(ran, 'look'), noting(ran, 'send', undefined, { needsApproval: true })] },
  );
  const runner = withAuditor(bareRunner(), runtime);
  const first = await runner.run(agent, 'go');
  for (const one of first.interruptions) first.state.approve(one);
  await runner.run(agent, first.state);
  expect(ran).toEqual(['look', 'send']);
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: look done',
    'boss, tool: send done',
    'boss, agent: done',
  ]);
  expect(outcomes()).toEqual(['interrupted', 'completed']);
});

test('an agent in a tool that asks a human interrupts the outermost run, and is taken up where it was', async () => {
  for (const isNew of [false, true]) {
    const before = watched();
    const boss = (inner: Agent) =>
      replying('boss', (request) => (isAnswered(request) ? says('all done') : calls('ask', { input: '?' })), {
        tools: [inner.asTool({ toolName: 'ask', toolDescription: 'asks' })],
      });
    const ran: string[] = [];
    const agent = boss(careful(ran, 'clerk'));
    const first = await withAuditor(bareRunner(), before.runtime).run(agent, 'go');
    expect(before.outcomes()).toEqual(['interrupted']);
    const state: AnyState = isNew
      ? await RunState.fromString(agent, JSON.stringify(first.state))
      : first.state;
    for (const one of state.getInterruptions()) state.approve(one);
    const { runtime, told, outcomes } = isNew ? watched() : before;
    const second = await withAuditor(bareRunner(), runtime).run(agent, state);
    expect([second.finalOutput, ran]).toEqual(['all done', ['send']]);
    expect(told().slice(-4)).toEqual([
      'clerk, tool: sent',
      'clerk, agent: done',
      'boss, tool: done',
      'boss, agent: all done',
    ]);
    expect(outcomes().at(-1)).toBe('completed');
  }
});

test('a halted run whose state was serialised goes on in a new process: the model is asked again', async () => {
  const before = watched({ auditor: strict() });
  const agent = replying('boss', (request) => (isAnswered(request) ? says('done') : calls('wrong')), {
    tools: [noting([], 'wrong', () => 'as was asked')],
  });
  const halt = (await errorOf(
    withAuditor(bareRunner(), before.runtime).run(agent, 'go'),
  )) as AuditorTripwireTriggered;
  const state = await RunState.fromString(agent, JSON.stringify(halt.state));
  const { runtime, told, outcomes } = watched();
  const { finalOutput } = await withAuditor(bareRunner(), runtime).run(agent, state);
  expect(finalOutput).toBe('done');
  expect(told()).toEqual([
    'user, user: go',
    'boss, agent: ',
    'boss, tool: as was asked',
    'boss, agent: done',
  ]);
  expect(outcomes()).toEqual(['completed']);
});
