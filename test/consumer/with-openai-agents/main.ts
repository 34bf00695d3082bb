// A consumer with the OpenAI Agents SDK: the hooked runner keeps its type, and an alarm rejects the run before the tool runs.
import assert from 'node:assert/strict';
import { Agent, type Model, type ModelRequest, Runner, tool, Usage } from '@openai/agents';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/openai-agents';
import { proceed, ScriptedAuditor } from 'agentforesight/testing';
import { z } from 'zod';

const model: Model = {
  async getResponse({ input }: ModelRequest) {
    const isAnswered = Array.isArray(input) && input.some(({ type }) => type === 'function_call_result');
    return {
      usage: new Usage(),
      output: isAnswered
        ? [
            {
              type: 'message',
              role: 'assistant',
              status: 'completed',
              content: [{ type: 'output_text', text: 'sent' }],
            },
          ]
        : [{ type: 'function_call', callId: 'call', name: 'send', status: 'completed', arguments: '{}' }],
    };
  },
  getStreamedResponse() {
    throw new Error('nothing is streamed here');
  },
};
const sent: string[] = [];
const send = tool({
  name: 'send',
  description: 'Sends',
  parameters: z.object({}),
  execute: async () => String(sent.push('mail')),
});
const agent = new Agent({ name: 'sender', instructions: 'Send.', model, tools: [send] });
const runner = new Runner({ tracingDisabled: true });

const approved: typeof runner = withAuditor(runner, createRuntime());
assert.equal((await approved.run(agent, 'go')).finalOutput, 'sent');
assert.equal(sent.length, 1);

const alarm = { kind: 'alarm', step: 1, agent: 'sender', reason: 'wrong' };
const halted = withAuditor(runner, createRuntime({ auditor: new ScriptedAuditor([alarm], proceed) }));
const error: unknown = await halted.run(agent, 'go').catch((thrown: unknown) => thrown);
assert(error instanceof AuditHalt);
assert.deepEqual([error.turns.length, sent.length], [2, 1]);
console.log('with the OpenAI Agents SDK: ok');
