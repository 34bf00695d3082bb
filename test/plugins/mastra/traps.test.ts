import type { InputProcessor, OutputProcessor } from '@mastra/core/processors';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call, scriptedModel } from '../../support/mastra-agents.js';
import { adder, adding, lines } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

test('in processOutputStep an abort would let the tool run; ours does not', async () => {
  const { ran, agent } = adder('wrong');
  const tooLate: OutputProcessor = { id: 'late', processOutputStep: ({ abort }) => abort('no') };
  await agent.generate('?', { outputProcessors: [tooLate] });
  expect(ran).toEqual(['add']);
  const audit = audited({ auditor: strict() });
  const hooked = adder('wrong');
  await withAuditor(hooked.agent, audit.runtime).generate('?');
  expect(hooked.ran).toEqual([]);
});

test('no tool is run eagerly, while the model still speaks', async () => {
  const { ran, agent } = adder('wrong');
  const output = await withAuditor(agent, audited({ auditor: strict() }).runtime).stream('?');
  await output.consumeStream();
  expect(ran).toEqual([]);
});

test('processors of the agent, or of the call in their stead, stay at work', async () => {
  const worked: string[] = [];
  const noting = (id: string): InputProcessor => ({
    id,
    processInput: ({ messageList }) => {
      worked.push(id);
      return messageList;
    },
  });
  const audit = audited();
  const agent = agentThat('solver', [{ text: 'done' }], { inputProcessors: [noting('the agent’s')] });
  const twin = withAuditor(agent, audit.runtime);
  await twin.generate('?');
  await twin.generate('?', { inputProcessors: [noting('the call’s')] });
  expect(worked).toEqual(['the agent’s', 'the call’s']);
  expect(audit.turns().filter(({ agent: who }) => who === 'solver')).toHaveLength(2);
});

test('hooks of the agent and of the call stay at work, and may refuse a tool', async () => {
  const { ran, tools } = adding();
  const script = () => [{ calls: [call('add')] }, { text: 'done' }];
  const hooks = { beforeToolCall: () => ({ proceed: false as const, output: 'not now' }) };
  const audit = audited();
  await withAuditor(agentThat('solver', script(), { tools, hooks }), audit.runtime).generate('?');
  await withAuditor(agentThat('solver', script(), { tools }), audit.runtime).generate('?', { hooks });
  expect(ran).toEqual([]);
  expect(lines(audit).filter((line) => line.startsWith('solver tool'))).toEqual([
    'solver tool: not now',
    'solver tool: not now',
  ]);
});

test('an alarm is no fault of the model’s: neither is it retried nor does a fallback model step in', async () => {
  const first = scriptedModel([{ text: 'wrong' }]);
  const second = scriptedModel([{ text: 'fine' }]);
  const model = [first, second].map((each) => ({ model: each, maxRetries: 2 }));
  const agent = agentThat('solver', [], { model });
  const result = await withAuditor(agent, audited({ auditor: strict() }).runtime).generate('?');
  expect(isAuditorTripwire(result)).toBe(true);
  expect([first.doGenerateCalls.length, second.doGenerateCalls.length]).toEqual([1, 0]);
});

test('what a fallback model says is told once, and the failed model’s silence is not', async () => {
  const failing = scriptedModel(() => {
    throw new Error('overloaded');
  });
  const model = [failing, scriptedModel([{ text: 'fine' }])].map((each) => ({ model: each, maxRetries: 0 }));
  const audit = audited();
  await withAuditor(agentThat('solver', [], { model }), audit.runtime).generate('?');
  expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: fine']);
});

test('Mastra calls neither onFinish nor onError of a halted run', async () => {
  const called: string[] = [];
  const output = await withAuditor(adder('wrong').agent, audited({ auditor: strict() }).runtime).stream('?', {
    onFinish: () => void called.push('onFinish'),
    onError: () => void called.push('onError'),
  });
  await output.consumeStream();
  expect(called).toEqual([]);
});

test.each(['generate', 'stream'] as const)(
  'the last tool’s answer at maxSteps is judged after the run: %s',
  async (method) => {
    const audit = audited({ auditor: strict() });
    const { agent } = adder('fine', 'never', 'wrong');
    const twin = withAuditor(agent, audit.runtime);
    const options = { maxSteps: 1 };
    const result =
      method === 'generate' ? await twin.generate('?', options) : await twin.stream('?', options);
    if ('consumeStream' in result) await result.consumeStream();
    expect(auditHalt(result)?.alarm).toMatchObject({ step: 2, agent: 'solver' });
    expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: fine', 'solver tool: wrong']);
  },
);

test('onIterationComplete of the call stays at work, and may make the last step not the last', async () => {
  const audit = audited();
  const rounds: boolean[] = [];
  const agent = agentThat('solver', [{ text: 'one' }, { text: 'two' }]);
  await withAuditor(agent, audit.runtime).generate('?', {
    maxSteps: 3,
    onIterationComplete: ({ isFinal }) => {
      rounds.push(isFinal);
      return rounds.length === 1 ? { continue: true } : undefined;
    },
  });
  expect(rounds).toEqual([true, true]);
  expect(lines(audit)).toEqual(['*user user: ?', 'solver agent: one', 'solver agent: two']);
});

test('hooks of the agent’s default options stay at work beside the call’s', async () => {
  const { ran, tools } = adding();
  const refusing = { beforeToolCall: () => ({ proceed: false as const, output: 'not now' }) };
  const defaultOptions = { hooks: refusing };
  const agent = agentThat('solver', [{ calls: [call('add')] }, { text: 'done' }], { tools, defaultOptions });
  const after = vi.fn();
  await withAuditor(agent, audited().runtime).generate('?', { hooks: { afterToolCall: after } });
  expect(ran).toEqual([]);
});

test.each(['halt', 'pause', 'recover'] as const)(
  'processors that are functions of the agent’s are asked, and work once: %s',
  async (onAlarm) => {
    const worked: string[] = [];
    const noting = (id: string, on: string) => async () => [
      {
        id,
        [on]: ({ messageList }: { messageList: unknown }) => {
          worked.push(id);
          return messageList;
        },
      },
    ];
    const agent = agentThat('solver', [{ text: 'fine' }], {
      inputProcessors: noting('first', 'processInput'),
      outputProcessors: noting('last', 'processOutputResult'),
    });
    await withAuditor(agent, audited({ onAlarm }).runtime).generate('?');
    expect(worked).toEqual(['first', 'last']);
  },
);

test('runs side by side of one twin are told apart, and an alarm in one stops no other', async () => {
  const audit = audited({ auditor: strict() });
  const agent = agentThat('solver', (prompt) => ({
    text: JSON.stringify(prompt.at(-1)?.content).includes('bad') ? 'wrong' : 'fine',
  }));
  const twin = withAuditor(agent, audit.runtime);
  const results = await Promise.all(['bad', 'ok', 'bad', 'ok'].map((task) => twin.generate(task)));
  expect(results.map((result) => isAuditorTripwire(result))).toEqual([true, false, true, false]);
  const said = audit.of('run').map(({ runId, task }) => {
    const turns = audit.recorder.records.flatMap((one) =>
      one.type === 'turn' && one.runId === runId ? [one.turn.content] : [],
    );
    return [task, ...turns];
  });
  expect(said.toSorted()).toEqual([
    ['bad', 'bad', 'wrong'],
    ['bad', 'bad', 'wrong'],
    ['ok', 'ok', 'fine'],
    ['ok', 'ok', 'fine'],
  ]);
});

test('code of the host’s that fails over what a halted agent did not say rejects with the halt, and the failure', async () => {
  const helper = agentThat('helper', [{ text: 'wrong' }]);
  const agent = agentThat('solver', [{ text: 'done' }], {
    instructions: async () => (await helper.generate('?')).text, // empty instructions are an error of Mastra's
  });
  const failed = withAuditor(agent, audited({ auditor: strict() }).runtime).generate('?');
  await expect(failed).rejects.toBeInstanceOf(AuditHalt);
  await expect(failed).rejects.toMatchObject({
    cause: { id: 'AGENT_GET_INSTRUCTIONS_FUNCTION_EMPTY_RETURN' },
  });
  expect(agent.prompts).toEqual([]);
});

test('an agent that a processor of the host’s asks is told as an agent, and can be blamed', async () => {
  const judge = agentThat('judge', [{ text: 'wrong' }]);
  const asking: InputProcessor = {
    id: 'asking',
    processInput: async ({ messageList }) => {
      await judge.generate('Is this polite?');
      return messageList;
    },
  };
  const audit = audited({ auditor: strict() });
  const agent = agentThat('solver', [{ text: 'fine' }], { inputProcessors: [asking] });
  const result = await withAuditor(agent, audit.runtime).generate('?');
  expect(lines(audit)).toEqual(['*user user: ?', 'judge agent: wrong']);
  expect(auditHalt(result)?.alarm?.agent).toBe('judge');
  expect(agent.prompts).toEqual([]);
});
