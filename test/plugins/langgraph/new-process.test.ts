import { AIMessage } from '@langchain/core/messages';
import { Annotation, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime, type Diagnostic } from '../../../core/index.js';
import { approvingAuditor, ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, wrongSpotter } from '../../support/graphs.js';
import { addTool, scriptedModel, soloAgent, supervisor, swarm, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** A runtime that shares nothing with another, as a new process has. */
const newProcess = (auditor = approvingAuditor()) => ({ auditor, runtime: createRuntime({ auditor }) });

const told = (auditor: ScriptedAuditor) =>
  auditor.requests.at(-1)?.turns.map(({ agent, kind, content }) => `${agent} ${kind}: ${content}`);

/** What the auditor is shown at the end of a run that nothing interrupts. */
async function wholeRun(build: () => { invoke(input: unknown, config: object): Promise<unknown> }) {
  const { auditor, runtime } = newProcess();
  await withAuditor(build() as never as ReturnType<typeof soloAgent>, runtime).invoke(task as never, config);
  return told(auditor);
}

/** Halts at the audited turn of that number, and goes on in a new process. */
async function resumedRun(build: () => unknown, at: number) {
  let asked = 0;
  const alarms = new ScriptedAuditor(
    [],
    ({ prefix }: { prefix: { length: number; newest: { agent: string } } }) =>
      asked++ === at
        ? { kind: 'alarm', step: prefix.length - 1, agent: prefix.newest.agent, reason: 'wrong' }
        : { kind: 'continue' },
  );
  const graph = build() as ReturnType<typeof soloAgent>;
  const halted = await withAuditor(graph, newProcess(alarms).runtime)
    .invoke(task as never, config)
    .then(
      () => false,
      (error: unknown) => error instanceof AuditHalt,
    );
  const { auditor, runtime } = newProcess();
  await withAuditor(graph, runtime).invoke(null as never, config);
  return { halted, told: told(auditor), asked };
}

describe.each([
  ['an agent', () => soloAgent({ ran: [], checkpointer: new MemorySaver() })],
  ['a supervisor', () => supervisor({ ran: [], checkpointer: new MemorySaver() })],
  ['a swarm', () => swarm({ ran: [], checkpointer: new MemorySaver() })],
])('%s, halted at any turn and resumed by a new process', (_name, build) => {
  test('is judged in the end by the whole past, inner steps too', async () => {
    const whole = await wholeRun(build as never);
    let resumptions = 0;
    for (let at = 0; ; at++) {
      const resumed = await resumedRun(build, at);
      if (!resumed.halted) break;
      // After the very last turn nothing is left to judge.
      if (resumed.told) {
        expect(resumed.told, `halted at audit ${at}`).toEqual(whole);
        resumptions++;
      }
    }
    expect(resumptions).toBeGreaterThan(1);
  });
});

test('state that is no message, and who wrote it, is in the past too', async () => {
  const State = Annotation.Root({ plan: Annotation<string>, answer: Annotation<string> });
  const checkpointer = new MemorySaver();
  const build = () =>
    new StateGraph(State)
      .addNode('planner', async () => ({ plan: 'WRONG plan' }))
      .addNode('solver', async () => ({ answer: '40' }))
      .addEdge(START, 'planner')
      .addEdge('planner', 'solver')
      .addEdge('solver', END)
      .compile({ checkpointer });
  const first = withAuditor(build(), createRuntime({ auditor: wrongSpotter() }));
  await expect(first.invoke({ plan: '', answer: '' }, config)).rejects.toBeInstanceOf(AuditHalt);
  const { auditor, runtime } = newProcess();
  await withAuditor(build(), runtime).invoke(null, config);
  expect(told(auditor)).toEqual([
    expect.stringContaining('user'),
    'planner state: {"plan":"WRONG plan"}',
    'solver state: {"answer":"40"}',
  ]);
});

test('the branches of a fan-out that was cut short: what is done is past, what is not runs', async () => {
  const checkpointer = new MemorySaver();
  const says = (name: string, content: string) => async () => ({
    messages: [new AIMessage({ id: name, content })],
  });
  const build = () =>
    new StateGraph(MessagesAnnotation)
      .addNode('x', says('x', 'WRONG'))
      .addNode('y', says('y', 'right'))
      .addNode('join', says('join', 'joined'))
      .addEdge(START, 'x')
      .addEdge(START, 'y')
      .addEdge(['x', 'y'], 'join')
      .addEdge('join', END)
      .compile({ checkpointer });
  await expect(
    withAuditor(build(), createRuntime({ auditor: wrongSpotter() })).invoke(input, config),
  ).rejects.toBeInstanceOf(AuditHalt);
  const { auditor, runtime } = newProcess();
  await withAuditor(build(), runtime).invoke(null, config);
  expect(told(auditor)).toEqual(['user user: go', 'x agent: WRONG', 'y agent: right', 'join agent: joined']);
});

test('an agent that a function called: its words are past, and not judged again when the function runs again', async () => {
  const checkpointer = new MemorySaver();
  const ran: string[] = [];
  const model = scriptedModel('hidden', ran, [
    { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
    'three',
  ]);
  const build = () => {
    const hidden = createReactAgent({ llm: model, tools: [addTool(ran)], name: 'hidden' });
    const question = { messages: [{ role: 'user', content: 'add', id: 'question' }] };
    return inARow(
      { outer: async () => (await hidden.invoke(question)).messages.at(-1) ?? [] },
      { checkpointer },
    );
  };
  const first = withAuditor(build(), createRuntime({ auditor: wrongSpotter() }));
  await expect(first.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const { auditor, runtime } = newProcess();
  await withAuditor(build(), runtime).invoke(null, config);
  expect(ran).toEqual(['model:hidden', 'tool:add', 'model:hidden']);
  expect(auditor.requests.map(({ turns }) => turns.at(-1)?.content)).toEqual(['3', 'three']);
  expect(told(auditor)).toEqual([
    'user user: go',
    'hidden agent: WRONG',
    'hidden tool: 3',
    'hidden agent: three',
  ]);
});

test('state that a node adds to what an agent inside returned is in the past', async () => {
  const State = Annotation.Root({ ...MessagesAnnotation.spec, plan: Annotation<string> });
  const checkpointer = new MemorySaver();
  const build = () =>
    new StateGraph(State)
      .addNode('outer', async () => {
        await soloAgent({ ran: [] }).invoke({ messages: [{ role: 'user', content: 'add', id: 'question' }] });
        return { plan: 'WRONG plan' };
      })
      .addNode('after', async () => ({ messages: [new AIMessage({ id: 'after', content: 'after' })] }))
      .addEdge(START, 'outer')
      .addEdge('outer', 'after')
      .addEdge('after', END)
      .compile({ checkpointer });
  const first = withAuditor(build(), createRuntime({ auditor: wrongSpotter() }));
  await expect(first.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const { auditor, runtime } = newProcess();
  await withAuditor(build(), runtime).invoke(null, config);
  expect(told(auditor)).toEqual([
    'user user: go',
    'solo agent: I add.',
    'solo tool: 40',
    'solo agent: The sum is 40.',
    'outer state: {"plan":"WRONG plan"}',
    'after agent: after',
  ]);
});

test('a rewind, in the same process or a new one, is judged by what led to its checkpoint', async () => {
  const checkpointer = new MemorySaver();
  const inner = () =>
    createReactAgent({
      llm: scriptedModel(
        'inner',
        [],
        [{ call: { name: 'add', args: { a: 1, b: 2 } } }, 'three', 'three again'],
      ),
      tools: [addTool([])],
      name: 'inner',
    });
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('inner', inner())
    .addNode('after', async () => ({ messages: [new AIMessage({ id: 'after', content: 'after' })] }))
    .addEdge(START, 'inner')
    .addEdge('inner', 'after')
    .addEdge('after', END)
    .compile({ checkpointer });
  const { auditor, runtime } = newProcess();
  const app = withAuditor(graph, runtime);
  await app.invoke(task, config);
  const whole = told(auditor);
  for await (const snapshot of app.getStateHistory(config)) {
    if (snapshot.next.join() !== 'after') continue;
    await app.invoke(null, snapshot.config);
    expect(told(auditor)).toEqual(whole);
    const fresh = newProcess();
    await withAuditor(graph, fresh.runtime).invoke(null, snapshot.config);
    expect(told(fresh.auditor)).toEqual(whole);
    return;
  }
  throw new Error('there was no checkpoint before the last node');
});

test('a past that cannot be read is reported, and the run goes on', async () => {
  const checkpointer = new MemorySaver();
  const build = () => inARow({ solve: () => new AIMessage('WRONG'), after: () => 'after' }, { checkpointer });
  await expect(
    withAuditor(build(), createRuntime({ auditor: wrongSpotter() })).invoke(input, config),
  ).rejects.toBeInstanceOf(AuditHalt);
  checkpointer.list = () => {
    throw new Error('no listing here');
  };
  const faults: Diagnostic[] = [];
  const auditor = approvingAuditor();
  const runtime = createRuntime({ auditor, diagnostics: { report: (fault) => void faults.push(fault) } });
  const { messages } = await withAuditor(build(), runtime).invoke(null, config);
  expect(messages.map(({ content }) => content)).toEqual(['go', 'WRONG', 'after']);
  expect(faults).toMatchObject([{ code: 'past-unreadable', message: 'no listing here' }]);
  expect(told(auditor)?.at(-1)).toBe('after agent: after');
});
