import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, humanInTheLoopMiddleware } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, type AuditRecord, everyTurn } from '../../../core/index.js';
import { ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { nameOf } from '../../support/alarms.js';
import { blaming, inARow, input, node, noting, watching } from '../../support/graphs.js';
import { addTool, scriptedModel, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** `run`, `turn solver: 40`, `alarm, halt`, `close halted` */
function inShort(records: readonly AuditRecord[]): string[] {
  return records.flatMap((record) => {
    if (record.type === 'run') return [record.continues === undefined ? 'run' : 'run taken up'];
    if (record.type === 'turn') return [`turn ${nameOf(record.turn)}`];
    if (record.type === 'close') return [`close ${record.outcome.status}`];
    return record.type === 'verdict' && record.verdict.kind === 'alarm' ? [`alarm, ${record.enforced}`] : [];
  });
}

/** An agent that asks a human before its tool runs. */
function careful(ran: string[]) {
  // Its published types do not hold under exactOptionalPropertyTypes.
  const approval = humanInTheLoopMiddleware({ interruptOn: { add: true } } as never);
  return createAgent({
    model: scriptedModel('solo', ran, [{ call: { name: 'add', args: { a: 17, b: 23 } } }, 'Done.']),
    tools: [addTool(ran)],
    middleware: [approval as unknown as AgentMiddleware],
    checkpointer: new MemorySaver(),
    name: 'solo',
  });
}

const decide = (...decisions: object[]) => new Command({ resume: { decisions } });

describe('humanInTheLoopMiddleware', () => {
  test.each([
    ['approves', { type: 'approve' }, ['turn solo: 40'], true],
    ['rejects', { type: 'reject', message: 'No.' }, ['turn solo: No.'], false],
    [
      'edits',
      { type: 'edit', editedAction: { name: 'add', args: { a: 1, b: 1 } } },
      ['turn solo: [add]', 'turn solo: 2'],
      true,
    ],
  ])('a human %s', async (_what, decision, said, runsTool) => {
    const ran: string[] = [];
    const { runtime, recorder } = watching();
    const app = withAuditor(careful(ran), runtime);
    expect(await app.invoke(task, config)).toHaveProperty('__interrupt__');
    await app.invoke(decide(decision), config);
    expect(inShort(recorder.records)).toEqual([
      'run',
      'turn user: What is 17 + 23?',
      'turn solo: [add]',
      'close interrupted',
      'run taken up',
      ...said,
      'turn solo: Done.',
      'close completed',
    ]);
    expect(ran.includes('tool:add')).toBe(runsTool);
  });

  /** Blames the first call, and nothing else. */
  const blamesCall = () =>
    new ScriptedAuditor([{ kind: 'alarm', step: 1, agent: 'solo', reason: 'wrong' }], { kind: 'continue' });

  test('the halt comes before the question; resuming asks it', async () => {
    const ran: string[] = [];
    const app = withAuditor(careful(ran), watching({ auditor: blamesCall() }).runtime);
    await expect(app.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(await app.invoke(null, config)).toHaveProperty('__interrupt__');
    expect(ran).toEqual(['model:solo']);
    const { messages } = await app.invoke(decide({ type: 'approve' }), config);
    expect(messages.map(({ text }) => text)).toEqual(['What is 17 + 23?', '', '40', 'Done.']);
  });

  test('a command that takes a halted run up is taken for the answer to the question behind the halt', async () => {
    const ran: string[] = [];
    const app = withAuditor(careful(ran), watching({ auditor: blamesCall() }).runtime);
    await expect(app.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);
    await app.invoke(decide({ type: 'approve' }), config);
    expect(ran).toEqual(['model:solo', 'tool:add', 'model:solo']);
  });

  test('what the tool said after the approval is judged as ever', async () => {
    const ran: string[] = [];
    const auditor = new ScriptedAuditor([
      { kind: 'continue' },
      { kind: 'alarm', step: 2, agent: 'solo', reason: 'wrong sum' },
    ]);
    const app = withAuditor(careful(ran), watching({ auditor, schedule: everyTurn() }).runtime);
    await app.invoke(task, config);
    await expect(app.invoke(decide({ type: 'approve' }), config)).rejects.toMatchObject({
      alarm: { step: 2 },
    });
    expect(ran).toEqual(['model:solo', 'tool:add']);
  });
});

describe('a question side by side with an alarm', () => {
  const asking = (ran: string[]) =>
    new StateGraph(MessagesAnnotation)
      .addNode(
        'asks',
        node(() => `the human said ${interrupt('May I?')}`),
      )
      .addNode('works', node(noting(ran, 'works', 5)))
      .addNode('join', node(noting(ran, 'join')))
      .addEdge(START, 'asks')
      .addEdge(START, 'works')
      .addEdge(['asks', 'works'], 'join')
      .addEdge('join', END)
      .compile({ checkpointer: new MemorySaver() });

  test('the run is halted, and the question stays open for who takes it up', async () => {
    const ran: string[] = [];
    const { runtime, recorder } = watching({ auditor: blaming('works') });
    const app = withAuditor(asking(ran), runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    expect((await app.getState(config)).tasks.flatMap(({ interrupts }) => interrupts)).toMatchObject([
      { value: 'May I?' },
    ]);
    expect(ran).toEqual(['start works', 'end works']);
    await app.invoke(new Command({ resume: 'yes' }), config);
    expect(inShort(recorder.records)).toEqual([
      'run',
      'turn user: go',
      'turn works: works speaks',
      'alarm, halt',
      'close halted',
      'run taken up',
      'turn asks: the human said yes',
      'turn join: join speaks',
      'close completed',
    ]);
  });

  test('a question in a sub-graph, answered, is asked and told once', async () => {
    const { runtime, recorder } = watching();
    const inner = new StateGraph(MessagesAnnotation)
      .addNode(
        'drafts',
        node(() => 'a draft'),
      )
      .addNode(
        'asks',
        node(() => `the human said ${interrupt('May I?')}`),
      )
      .addEdge(START, 'drafts')
      .addEdge('drafts', 'asks')
      .addEdge('asks', END)
      .compile();
    const outer = new StateGraph(MessagesAnnotation)
      .addNode('inner', inner)
      .addNode(
        'last',
        node(() => 'last'),
      )
      .addEdge(START, 'inner')
      .addEdge('inner', 'last')
      .addEdge('last', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(outer, runtime);
    await app.invoke(input, config);
    await app.invoke(new Command({ resume: 'yes' }), config);
    expect(inShort(recorder.records)).toEqual([
      'run',
      'turn user: go',
      'turn drafts: a draft',
      'close interrupted',
      'run taken up',
      'turn asks: the human said yes',
      'turn last: last',
      'close completed',
    ]);
  });
});

describe.each([
  ['interruptBefore', { interruptBefore: ['second' as never] }],
  ['interruptAfter', { interruptAfter: ['first' as never] }],
])('a static %s', (_what, stops) => {
  const graph = () =>
    inARow({ first: () => 'first', second: () => 'second' }, { checkpointer: new MemorySaver(), ...stops });

  test('looks like a run’s end: the log closes it, and who takes it up is a new run', async () => {
    const { runtime, recorder } = watching();
    const app = withAuditor(graph(), runtime);
    await app.invoke(input, config);
    await app.invoke(null, config);
    expect(inShort(recorder.records)).toEqual([
      'run',
      'turn user: go',
      'turn first: first',
      'close completed',
      'run',
      'turn user: go',
      'turn first: first',
      'turn second: second',
      'close completed',
    ]);
  });

  test('an alarm on what it stops after still rejects the run, which can be taken up', async () => {
    const app = withAuditor(graph(), watching({ auditor: blaming('first') }).runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    const { messages } = await app.invoke(null, config);
    expect(messages.map(({ text }) => text)).toEqual(['go', 'first', 'second']);
  });
});
