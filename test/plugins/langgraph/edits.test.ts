import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  Command,
  END,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from 'langchain';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, watching, wrongSpotter } from '../../support/graphs.js';
import { scriptedModel } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

test('a call that a human edits is judged as edited', async () => {
  const paid: number[] = [];
  const pay = tool(async ({ amount }) => `paid ${paid.push(amount)}`, {
    name: 'pay',
    description: 'Pays',
    schema: z.object({ amount: z.number() }),
  });
  const { runtime, auditor } = watching();
  // Its published types do not hold under exactOptionalPropertyTypes.
  const approval = humanInTheLoopMiddleware({ interruptOn: { pay: true } } as never);
  const agent = createAgent({
    model: scriptedModel('buyer', [], [{ call: { name: 'pay', args: { amount: 20 } } }, 'done']),
    tools: [pay],
    middleware: [approval as unknown as AgentMiddleware],
    checkpointer: new MemorySaver(),
    name: 'buyer',
  });
  const app = withAuditor(agent, runtime);
  await app.invoke(input, config);
  const edit = { type: 'edit', editedAction: { name: 'pay', args: { amount: 5000 } } };
  await app.invoke(new Command({ resume: { decisions: [edit] } }), config);
  expect(paid).toEqual([5000]);
  const amounts = auditor.requests.flatMap(
    ({ turns }) => turns.at(-1)?.toolCalls?.map(({ args }) => args) ?? [],
  );
  expect(amounts).toEqual([{ amount: 20 }, { amount: 5000 }]);
});

function changeArguments(draft: AIMessage): AIMessage {
  for (const call of draft.tool_calls ?? []) call.args['note'] = 'WRONG';
  return draft;
}

test.each<[string, (draft: AIMessage) => AIMessage]>([
  ['replaced under its id', (draft) => new AIMessage({ id: draft.id as string, content: 'WRONG now' })],
  [
    'with other arguments',
    (draft) =>
      new AIMessage({
        id: draft.id as string,
        content: 'fine',
        tool_calls: [{ id: 'c', name: 'pay', args: { note: 'WRONG' } }],
      }),
  ],
  ['changed in place', (draft) => Object.assign(draft, { content: 'WRONG now' })],
  ['whose arguments are changed in place', changeArguments],
])('a message %s is news', async (_what, edited) => {
  const draft = new AIMessage({
    id: 'draft',
    content: 'fine',
    tool_calls: [{ id: 'c', name: 'pay', args: {} }],
  });
  const graph = inARow({ first: () => [draft], second: () => [edited(draft)] });
  const app = withAuditor(graph, createRuntime({ auditor: wrongSpotter() }));
  await expect(app.invoke(input)).rejects.toMatchObject({ alarm: { agent: 'second' } });
});

test('two agents whose call ids are numbered alike: both results are told, each by its own agent', async () => {
  const { runtime, told } = watching();
  const calls = () => [{ id: 'functions.add:0', name: 'add', args: {} }];
  const result = (content: string) => [
    new ToolMessage({ content, tool_call_id: 'functions.add:0', name: 'add' }),
  ];
  const graph = inARow({
    alpha: () => [new AIMessage({ content: 'alpha adds', tool_calls: calls() })],
    tools: () => result('40'),
    beta: () => [new AIMessage({ content: 'beta adds', tool_calls: calls() })],
    'more.tools': () => result('40'),
  });
  await withAuditor(graph, runtime).invoke(input);
  expect(told()).toEqual(['user: go', 'alpha: alpha adds', 'alpha: 40', 'beta: beta adds', 'beta: 40']);
});

test('messages that are no objects are told once, though the graph around hands out what became of them', async () => {
  const { runtime, told } = watching();
  const sub = new StateGraph(MessagesAnnotation)
    .addNode('x', async () => ({ messages: [{ role: 'assistant', content: 'plain' }] }))
    .addNode('y', async () => ({ messages: [['ai', 'a pair']] as never }))
    .addEdge(START, 'x')
    .addEdge('x', 'y')
    .addEdge('y', END)
    .compile();
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('sub', sub)
    .addNode('whole', async (state) => ({ messages: state.messages }))
    .addEdge(START, 'sub')
    .addEdge('sub', 'whole')
    .addEdge('whole', END)
    .compile();
  await withAuditor(graph, runtime).invoke(input);
  expect(told()).toEqual(['user: go', 'x: plain', 'y: a pair']);
});

test('state beside messages is told, if it is new', async () => {
  const State = Annotation.Root({
    ...MessagesAnnotation.spec,
    decision: Annotation<string>,
    note: Annotation<string>,
  });
  const graph = new StateGraph(State)
    .addNode('decides', async () => ({ messages: [new AIMessage('ok')], decision: 'pay 5000' }))
    .addNode('repeats', async (state) => ({ ...state, note: 'done' }))
    .addEdge(START, 'decides')
    .addEdge('decides', 'repeats')
    .addEdge('repeats', END)
    .compile();
  const { runtime, told } = watching();
  await withAuditor(graph, runtime).invoke(input);
  expect(told()).toEqual([
    'user: go',
    'decides: ok',
    'decides: {"decision":"pay 5000"}',
    'repeats: {"note":"done"}',
  ]);
});

test('a state key named output is a key like any other', async () => {
  const State = Annotation.Root({ output: Annotation<string | null>, rows: Annotation<string[]> });
  const graph = new StateGraph(State)
    .addNode('first', async () => ({ output: 'answer' }))
    .addNode('again', async () => ({ output: 'answer' }))
    .addNode('clears', async () => ({ output: null }))
    .addEdge(START, 'first')
    .addEdge('first', 'again')
    .addEdge('again', 'clears')
    .addEdge('clears', END)
    .compile();
  const { runtime, told } = watching();
  await withAuditor(graph, runtime).invoke({ output: '' });
  expect(told().slice(1)).toEqual([
    'first: {"output":"answer"}',
    'again: {"output":"answer"}',
    'clears: {"output":null}',
  ]);
});

test('votes that a reducer counts are each a turn, though they are alike', async () => {
  const State = Annotation.Root({
    votes: Annotation<number>({ reducer: (one, two) => one + two, default: () => 0 }),
  });
  const graph = new StateGraph(State)
    .addNode('a', async () => ({ votes: 1 }))
    .addNode('b', async () => ({ votes: 1 }))
    .addEdge(START, 'a')
    .addEdge('a', 'b')
    .addEdge('b', END)
    .compile();
  const { runtime, told } = watching();
  await withAuditor(graph, runtime).invoke({});
  expect(told().slice(1)).toEqual(['a: {"votes":1}', 'b: {"votes":1}']);
});

test('a rewind starts from its checkpoint, not from what came after it', async () => {
  const { runtime, auditor } = watching();
  const nodes = { plan: () => 'plan', solve: () => 'solve' };
  const app = withAuditor(inARow(nodes, { checkpointer: new MemorySaver() }), runtime);
  await app.invoke(input, config);
  const history = await Array.fromAsync(app.getStateHistory(config));
  const beforeSolve = history.find(({ next }) => next.includes('solve'));
  await app.invoke(null, beforeSolve?.config);
  const last = auditor.requests.at(-1)?.turns.map(({ content, given }) => (given ? `(${content})` : content));
  expect(last).toEqual(['(go)', '(plan)', 'solve']);
});

test('an update of the state from outside is no run', async () => {
  const { runtime, recorder } = watching();
  const app = withAuditor(inARow({ plan: () => 'plan' }, { checkpointer: new MemorySaver() }), runtime);
  await app.invoke(input, config);
  const before = recorder.records.length;
  await app.updateState(config, { messages: [new HumanMessage('by the way')] });
  expect(recorder.records).toHaveLength(before);
});

test('what a human corrects between halt and resume is shown to the auditor', async () => {
  const auditor = new ScriptedAuditor([{ kind: 'alarm', step: 1, agent: 'plan', reason: 'wrong' }], proceed);
  const nodes = { plan: () => [new AIMessage({ id: 'p', content: 'pay 5000' })], solve: () => 'solved' };
  const app = withAuditor(inARow(nodes, { checkpointer: new MemorySaver() }), createRuntime({ auditor }));
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const corrections = [
    new AIMessage({ id: 'p', content: 'pay 50' }),
    new HumanMessage({ id: 'h', content: 'I corrected it' }),
  ];
  await app.updateState(config, { messages: corrections });
  await app.invoke(null, config);
  const said = auditor.requests.at(-1)?.turns.map(({ agent, content }) => `${agent}: ${content}`);
  expect(said).toEqual([
    'user: go',
    'plan: pay 5000',
    'assistant: pay 50',
    'user: I corrected it',
    'solve: solved',
  ]);
});

test('who takes a run up has overridden its alarm: blaming the same turn again changes nothing', async () => {
  const blamesPlan = new ScriptedAuditor([], {
    kind: 'alarm',
    step: 1,
    agent: 'plan',
    reason: 'still wrong',
  });
  const ran: string[] = [];
  const step = (name: string) => () => `${name} ${ran.push(name)}`;
  const graph = inARow(
    { plan: step('plan'), solve: step('solve'), check: step('check') },
    { checkpointer: new MemorySaver() },
  );
  const app = withAuditor(graph, createRuntime({ auditor: blamesPlan }));
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  await app.invoke(null, config);
  expect(ran).toEqual(['plan', 'solve', 'check']);
});

test('a state-only graph taken up in a new process gets its task from its state', async () => {
  const State = Annotation.Root({
    question: Annotation<string>,
    plan: Annotation<string>,
    answer: Annotation<string>,
  });
  const checkpointer = new MemorySaver();
  const build = () =>
    new StateGraph(State)
      .addNode('planner', async () => ({ plan: 'WRONG' }))
      .addNode('solver', async () => ({ answer: '4' }))
      .addEdge(START, 'planner')
      .addEdge('planner', 'solver')
      .addEdge('solver', END)
      .compile({ checkpointer });
  const first = withAuditor(build(), createRuntime({ auditor: wrongSpotter() }));
  await expect(first.invoke({ question: 'What is 2 + 2?' }, config)).rejects.toBeInstanceOf(AuditHalt);
  const { runtime, auditor } = watching();
  await withAuditor(build(), runtime).invoke(null, config);
  expect(auditor.requests[0]?.task).toBe('What is 2 + 2?');
});
