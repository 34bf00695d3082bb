import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import { Command, END, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, toolRetryMiddleware } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { type Asked, contents, pausing, questions } from '../../support/alarmed-graphs.js';
import { inARow, input } from '../../support/graphs.js';
import { addTool, scriptedModel, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** Three nodes, of which the second goes wrong. */
function threeSteps(ran: string[], checkpointer = new MemorySaver()) {
  const says = (name: string, text: string) => () => {
    ran.push(name);
    return new AIMessage({ id: name, content: text });
  };
  return inARow(
    { plan: says('plan', 'a plan'), solve: says('solve', 'WRONG'), verify: says('verify', 'fine') },
    { checkpointer },
  );
}

describe('an alarm pauses the run before the next node', () => {
  test('the result asks a human, nothing of the next node has run, and the log says paused', async () => {
    const ran: string[] = [];
    const { runtime, closes, enforced } = pausing();
    const app = withAuditor(threeSteps(ran), runtime);
    const result = await app.invoke(input, config);
    expect(questions(result)).toEqual([
      {
        id: expect.stringMatching(/^[0-9a-f]{32}$/),
        value: {
          type: 'audit_alarm',
          runId: expect.any(String),
          step: 2,
          agent: 'solve',
          reason: 'says WRONG',
          turnId: expect.any(String),
        },
      },
    ]);
    expect(ran).toEqual(['plan', 'solve']);
    expect((await app.getState(config)).next).toEqual(['verify']);
    expect(closes()).toEqual(['paused']);
    expect(enforced()).toEqual(['proceed', 'pause']);
  });

  test.each<[string, (id: string) => Command | null]>([
    ['null', () => null],
    ['a plain answer', () => new Command({ resume: 'go on' })],
    ['an answer by id', (id) => new Command({ resume: { [id]: 'go on' } })],
    ['an edit of the state', () => new Command({ update: { messages: [] } })],
  ])('resumed with %s it goes on there, and the alarm is overridden', async (_form, resume) => {
    const ran: string[] = [];
    const { runtime, closes, auditor } = pausing();
    const app = withAuditor(threeSteps(ran), runtime);
    const [question] = questions(await app.invoke(input, config)) as [Asked];
    const result = await app.invoke(resume(question.id) as null, config);
    expect(contents(result.messages)).toEqual(['go', 'a plan', 'WRONG', 'fine']);
    expect(ran).toEqual(['plan', 'solve', 'verify']);
    expect(closes()).toEqual(['paused', 'completed']);
    expect(auditor.requests.at(-1)?.turns.map(({ content }) => content)).toEqual([
      'go',
      'a plan',
      'WRONG',
      'fine',
    ]);
  });

  test('streamed, it ends with the question', async () => {
    const { runtime } = pausing();
    const chunks: unknown[] = [];
    const stream = await withAuditor(threeSteps([]), runtime).stream(input, {
      ...config,
      streamMode: 'updates',
    });
    for await (const chunk of stream) chunks.push(chunk);
    expect(questions(chunks.at(-1))).toMatchObject([{ value: { type: 'audit_alarm' } }]);
  });

  test('a new process resumes it, and the override holds there too', async () => {
    const checkpointer = new MemorySaver();
    await withAuditor(threeSteps([], checkpointer), pausing().runtime).invoke(input, config);

    const ran: string[] = [];
    const blamesOld = ({ prefix }: { prefix: { length: number } }) =>
      ({ kind: 'alarm', step: 2, agent: 'solve', reason: `still wrong at ${prefix.length}` }) as const;
    const { runtime } = pausing({ auditor: { audit: blamesOld } });
    const result = await withAuditor(threeSteps(ran, checkpointer), runtime).invoke(null, config);
    expect(contents(result.messages)).toEqual(['go', 'a plan', 'WRONG', 'fine']);
    expect(ran).toEqual(['verify']);
  });
});

describe('inside agents', () => {
  test('a createAgent is paused before its tool; overridden, the tool runs once', async () => {
    const ran: string[] = [];
    const agent = createAgent({
      model: scriptedModel('solo', ran, [
        { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
        'done',
      ]),
      tools: [addTool(ran)],
      name: 'solo',
      checkpointer: new MemorySaver(),
    });
    const app = withAuditor(agent, pausing().runtime);
    expect(questions(await app.invoke(task, config))).toHaveLength(1);
    expect(ran).toEqual(['model:solo']);
    const result = await app.invoke(new Command({ resume: 'go' }), config);
    expect(ran).toEqual(['model:solo', 'tool:add', 'model:solo']);
    expect(result.messages.at(-1)?.content).toBe('done');
  });

  test('an agent inside a sub-graph inside a node is paused in the middle and goes on there', async () => {
    const ran: string[] = [];
    const inner = createAgent({
      model: scriptedModel('inner', ran, [
        { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
        'done',
      ]),
      tools: [addTool(ran)],
      name: 'inner',
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode('team', inner.graph)
      .addNode('after', async () => ({ messages: [new AIMessage('after')] }))
      .addEdge(START, 'team')
      .addEdge('team', 'after')
      .addEdge('after', END)
      .compile({ checkpointer: new MemorySaver() });
    const app = withAuditor(graph, pausing().runtime);
    expect(questions(await app.invoke(task, config))).toHaveLength(1);
    expect(ran).toEqual(['model:inner']);
    const result = await app.invoke(null, config);
    expect(ran).toEqual(['model:inner', 'tool:add', 'model:inner']);
    expect(result.messages.at(-1)?.content).toBe('after');
  });

  test('middleware that swallows the pause only delays it: the question is put at the next node', async () => {
    const ran: string[] = [];
    const helper = () =>
      createAgent({
        model: scriptedModel('helper', ran, [
          { say: 'WRONG', call: { name: 'add', args: { a: 1, b: 2 } } },
          'x',
        ]),
        tools: [addTool(ran)],
        name: 'helper',
      });
    const ask = tool(async () => String((await helper().invoke(task)).messages.at(-1)?.content), {
      name: 'ask_helper',
      description: 'Asks',
      schema: z.object({}),
    });
    const boss = createAgent({
      model: scriptedModel('boss', ran, [{ call: { name: 'ask_helper' } }, 'done']),
      tools: [ask],
      name: 'boss',
      middleware: [toolRetryMiddleware({ maxRetries: 1, initialDelayMs: 1 }) as unknown as AgentMiddleware],
      checkpointer: new MemorySaver(),
    });
    const { runtime, closes } = pausing();
    const result = await withAuditor(boss, runtime).invoke(task, config);
    expect(questions(result)).toMatchObject([{ value: { agent: 'helper' } }]);
    expect(ran.filter((what) => what !== 'model:helper')).toEqual(['model:boss']);
    expect(closes()).toEqual(['paused']);
  });
});

describe('where nothing can be paused, it is a halt', () => {
  test('on the last step: no node is left to pause before; going on is the override all the same', async () => {
    const { runtime, closes, enforced } = pausing();
    const graph = inARow({ solve: () => new AIMessage('WRONG') }, { checkpointer: new MemorySaver() });
    const app = withAuditor(graph, runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(closes()).toEqual(['halted']);
    expect(enforced().at(-1)).not.toBe('proceed');
    expect(contents((await app.invoke(null, config)).messages)).toEqual(['go', 'WRONG']);
  });

  test.each([
    ['no checkpointer', {}, config],
    ['no thread', { checkpointer: new MemorySaver() }, {}],
  ])('%s', async (_what, options, without) => {
    const told: string[] = [];
    const { runtime, enforced } = pausing({ diagnostics: { report: ({ code }) => void told.push(code) } });
    const graph = inARow({ solve: () => new AIMessage('WRONG'), after: () => 'after' }, options);
    await expect(withAuditor(graph, runtime).invoke(input, without)).rejects.toBeInstanceOf(AuditHalt);
    expect(enforced()).toEqual(['halt']);
    expect(told).toEqual(['cannot-pause']);
  });
});
