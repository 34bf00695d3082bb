import { AIMessage } from '@langchain/core/messages';
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime, memoryRecorder, type Turn } from '../../../core/index.js';
import { approvingAuditor, proceed, ScriptedAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { plainGraph, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };
const agents = (turns: readonly Turn[]) => turns.map(({ agent, given }) => (given ? `(${agent})` : agent));

test('after a halt the bad step is saved and nothing of the next one; resuming goes on there, with the past in view', async () => {
  const ran: string[] = [];
  const alarm = { kind: 'alarm', step: 2, agent: 'solve', reason: 'wrong' };
  const auditor = new ScriptedAuditor([proceed, alarm], proceed);
  const recorder = memoryRecorder();
  const runtime = createRuntime({ auditor, recorder });
  const graph = withAuditor(plainGraph({ ran, checkpointer: new MemorySaver() }), runtime);
  await expect(graph.invoke(task, config)).rejects.toBeInstanceOf(AuditHalt);

  const saved = await graph.getState(config);
  expect(saved.next).toEqual(['verify']);
  expect(saved.values.messages.map(({ content }: AIMessage) => content)).toEqual([
    'What is 17 + 23?',
    'plan speaks',
    'solve speaks',
  ]);

  const result = await graph.invoke(null, config);
  expect(result.messages).toHaveLength(4);
  expect(ran).toEqual(['node:plan', 'node:solve', 'node:verify']);
  expect(agents(auditor.requests.at(-1)?.turns ?? [])).toEqual(['(user)', '(plan)', '(solve)', 'verify']);

  const runs = recorder.records.filter((record) => record.type === 'run');
  expect(runs[1]?.continues).toBe(runs[0]?.runId);
  const again = recorder.records.filter(
    (record) => record.type === 'turn' && record.runId === runs[1]?.runId,
  );
  expect(again, 'turns that the log has already are not written twice').toHaveLength(1);
});

test('a human’s answer takes the run up, and no turn is told twice', async () => {
  const auditor = approvingAuditor();
  const graph = withAuditor(
    new StateGraph(MessagesAnnotation)
      .addNode('draft', async () => ({ messages: [new AIMessage('a draft')] }))
      .addNode('ask', async () => ({ messages: [new AIMessage(`human said ${interrupt('ok?')}`)] }))
      .addEdge(START, 'draft')
      .addEdge('draft', 'ask')
      .addEdge('ask', END)
      .compile({ checkpointer: new MemorySaver() }),
    createRuntime({ auditor }),
  );
  await graph.invoke(task, config);
  await graph.invoke(new Command({ resume: 'yes' }), config);
  expect(auditor.requests.map(({ turns }) => agents(turns))).toEqual([
    ['(user)', 'draft'],
    ['(user)', '(draft)', 'ask'],
  ]);
});

test('in a new process the past comes from the checkpoint', async () => {
  const checkpointer = new MemorySaver();
  const alarm = { kind: 'alarm', step: 2, agent: 'solve', reason: 'wrong' };
  const first = createRuntime({ auditor: new ScriptedAuditor([proceed, alarm]) });
  await expect(
    withAuditor(plainGraph({ ran: [], checkpointer }), first).invoke(task, config),
  ).rejects.toBeInstanceOf(AuditHalt);

  const auditor = approvingAuditor();
  await withAuditor(plainGraph({ ran: [], checkpointer }), createRuntime({ auditor })).invoke(null, config);
  expect(auditor.requests.map(({ turns }) => turns.map(({ content }) => content))).toEqual([
    ['What is 17 + 23?', 'plan speaks', 'solve speaks', 'verify speaks'],
  ]);
});
