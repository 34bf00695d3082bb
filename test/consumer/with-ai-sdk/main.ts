// A consumer with the AI SDK: the hooked agent keeps its type, and an alarm rejects the call before the tool runs.
import assert from 'node:assert/strict';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/ai-sdk';
import { proceed, ScriptedAuditor } from 'agentforesight/testing';
import { ToolLoopAgent, tool } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';
import { z } from 'zod';

const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
const model = new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    const isAnswered = prompt.at(-1)?.role === 'tool';
    const unified = isAnswered ? 'stop' : 'tool-calls';
    return {
      content: isAnswered
        ? [{ type: 'text', text: 'sent' }]
        : [{ type: 'tool-call', toolCallId: 'call', toolName: 'send', input: '{}' }],
      finishReason: { unified, raw: unified },
      usage,
      warnings: [],
    };
  },
});
const sent: string[] = [];
const send = tool({ inputSchema: z.object({}), execute: async () => sent.push('mail') });
const agent = new ToolLoopAgent({ id: 'sender', model, tools: { send } });

const approved: typeof agent = withAuditor(agent, createRuntime());
assert.equal((await approved.generate({ prompt: 'go' })).text, 'sent');
assert.equal(sent.length, 1);

const alarm = { kind: 'alarm', step: 1, agent: 'sender', reason: 'wrong' };
const halted = withAuditor(agent, createRuntime({ auditor: new ScriptedAuditor([alarm], proceed) }));
const error: unknown = await halted.generate({ prompt: 'go' }).catch((thrown: unknown) => thrown);
assert(error instanceof AuditHalt);
assert.deepEqual([error.turns.length, sent.length], [2, 1]);
console.log('with the AI SDK: ok');
