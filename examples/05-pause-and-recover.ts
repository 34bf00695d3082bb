// What an alarm may do beside halting: wait for a human, or go back and let the agent try again.
import assert from 'node:assert/strict';
import { AIMessage } from '@langchain/core/messages';
import {
  END,
  INTERRUPT,
  isInterrupted,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { type Auditor, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/langgraph';

/** A team whose solver errs at its first try. Both ways need a checkpointer, and a thread_id. */
function team() {
  let tries = 0;
  return new StateGraph(MessagesAnnotation)
    .addNode('solver', () => ({
      messages: [new AIMessage(tries++ === 0 ? '17 * 23 = 401' : '17 * 23 = 391')],
    }))
    .addNode('writer', ({ messages }) => ({
      messages: [new AIMessage(`The answer: ${messages.at(-1)?.text}`)],
    }))
    .addEdge(START, 'solver')
    .addEdge('solver', 'writer')
    .addEdge('writer', END)
    .compile({ checkpointer: new MemorySaver() });
}

const auditor: Auditor = {
  audit: ({ prefix: { newest } }) =>
    newest.agent === 'solver' && newest.content.includes('401')
      ? { kind: 'alarm', step: newest.index, agent: newest.agent, reason: '17 * 23 is 391, not 401.' }
      : { kind: 'continue' },
};
const question = { messages: [{ role: 'user', content: 'What is 17 * 23?' }] };
const thread = { configurable: { thread_id: '1' } };

const patient = withAuditor(team(), createRuntime({ auditor, onAlarm: 'pause' }));
const paused = await patient.invoke(question, thread);
assert(isInterrupted(paused));
console.log('paused:', paused[INTERRUPT][0]?.value);
const overridden = await patient.invoke(null, thread); // a human has looked, and lets it pass
assert.equal(overridden.messages.at(-1)?.text, 'The answer: 17 * 23 = 401');

const persistent = withAuditor(team(), createRuntime({ auditor, onAlarm: 'recover' }));
const { messages } = await persistent.invoke(question, thread);
console.log(messages.map(({ text }) => text).join('\n'));
assert.match(messages[1]?.text ?? '', /An auditor reviewed this step and found it wrong: 17 \* 23 is 391/);
assert.equal(messages.at(-1)?.text, 'The answer: 17 * 23 = 391');
