// A consumer with LangGraph: the hooked graph keeps its type, and an alarm rejects the run.
import assert from 'node:assert/strict';
import { AIMessage } from '@langchain/core/messages';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/langgraph';
import { proceed, ScriptedAuditor } from 'agentforesight/testing';

const speak = (text: string) => async () => ({ messages: [new AIMessage(text)] });
const graph = new StateGraph(MessagesAnnotation)
  .addNode('one', speak('first'))
  .addNode('two', speak('second'))
  .addEdge(START, 'one')
  .addEdge('one', 'two')
  .addEdge('two', END)
  .compile();

const input = { messages: [{ role: 'user', content: 'go' }] };
const approved: typeof graph = withAuditor(graph, createRuntime());
assert.deepEqual(
  (await approved.invoke(input)).messages.map(({ content }) => content),
  ['go', 'first', 'second'],
);

const alarm = { kind: 'alarm', step: 1, agent: 'one', reason: 'wrong' };
const halted = withAuditor(graph, createRuntime({ auditor: new ScriptedAuditor([alarm], proceed) }));
const error: unknown = await halted.invoke(input).catch((thrown: unknown) => thrown);
assert(error instanceof AuditHalt);
assert.equal(error.turns.length, 2);
console.log('with LangGraph: ok');
