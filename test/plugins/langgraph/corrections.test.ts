import { AIMessage } from '@langchain/core/messages';
import {
  END,
  GraphDrained,
  MemorySaver,
  MessagesAnnotation,
  RunControl,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { AuditHalt } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, noting, watching, wrongSpotter } from '../../support/graphs.js';

// What people do with a run that has stopped: correct it where it stands, go back, give it up, stop it themselves.

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

/** A writer and a sender, inside a sub-graph. The writer is wrong the first time. */
function mailing(ran: string[]) {
  let drafts = 0;
  const inner = inARow({
    writes: () => [new AIMessage({ id: `draft-${drafts}`, content: drafts++ === 0 ? 'WRONG' : 'right' })],
    sends: noting(ran, 'sends'),
  });
  return new StateGraph(MessagesAnnotation)
    .addNode('mail', inner)
    .addEdge(START, 'mail')
    .addEdge('mail', END)
    .compile({ checkpointer: new MemorySaver() });
}

async function halted(ran: string[]) {
  const { runtime, auditor, recorder, told } = watching({ auditor: wrongSpotter() });
  const app = withAuditor(mailing(ran), runtime);
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  const state = await app.getState(config, { subgraphs: true });
  const inside = state.tasks[0]?.state;
  if (!inside || !('config' in inside)) throw new Error('expected the state of the sub-graph');
  return { app, auditor, recorder, told, inside };
}

test('a draft corrected where it stands, inside a sub-graph: resuming goes on with it', async () => {
  const ran: string[] = [];
  const { app, inside } = await halted(ran);
  const corrected = [new AIMessage({ id: 'draft-0', content: 'corrected' })];
  await app.updateState(inside.config, { messages: corrected }, 'writes');
  const { messages } = await app.invoke(null, config);
  expect(messages.map(({ text }) => text)).toEqual(['go', 'corrected', 'sends speaks']);
  expect(ran).toEqual(['start sends', 'end sends']);
});

test('going back inside a sub-graph: the step is taken again, and judged again', async () => {
  const ran: string[] = [];
  const { app, inside, told } = await halted(ran);
  const { thread_id, checkpoint_ns } = inside.config.configurable ?? {};
  let before: typeof inside.config | undefined;
  for await (const past of app.getStateHistory({ configurable: { thread_id, checkpoint_ns } })) {
    if (past.next.includes('writes' as never)) before = past.config;
  }
  await app.invoke(null, before as typeof inside.config);
  expect(told().slice(-2)).toEqual(['writes: right', 'sends: sends speaks']);
  expect(ran).toEqual(['start sends', 'end sends']);
});

test('a halted run that is given up is over', async () => {
  const ran: string[] = [];
  const { runtime } = watching({ auditor: wrongSpotter() });
  const graph = inARow(
    { writes: () => 'WRONG', sends: noting(ran, 'sends') },
    { checkpointer: new MemorySaver() },
  );
  const app = withAuditor(graph, runtime);
  await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
  await app.updateState(config, null, END as never);
  expect((await app.getState(config)).next).toEqual([]);
  await app.invoke(null, config);
  expect(ran).toEqual([]);
});

test('a drain that the caller asks for is no halt of ours', async () => {
  const control = new RunControl();
  const { runtime, recorder } = watching();
  const graph = inARow(
    {
      first: () => {
        control.requestDrain();
        return 'first';
      },
      second: () => 'second',
    },
    { checkpointer: new MemorySaver() },
  );
  const app = withAuditor(graph, runtime);
  const error = await app.invoke(input, { ...config, control }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(GraphDrained);
  expect(error).not.toBeInstanceOf(AuditHalt);
  expect(recorder.records.at(-1)).toMatchObject({ type: 'close', outcome: { status: 'failed' } });
  expect((await app.invoke(null, config)).messages.map(({ text }) => text)).toEqual([
    'go',
    'first',
    'second',
  ]);
});
