// A model as auditor, on any OpenAI-compatible server. Here a scripted one stands in for it, so that this runs offline.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AuditHalt, chatAuditor, createRuntime, memoryRecorder } from 'agentforesight';
import { withAuditor } from 'agentforesight/manual';

const standIn = createServer(async (request, response) => {
  const prompt = (await Array.fromAsync(request, String)).join('');
  const verdict = prompt.includes('408')
    ? { answer: 1, agent: 'solver', reason: '17 * 23 is 391, not 408.' }
    : { answer: 'SAFE', agent: null, reason: null };
  const content = `<think>I check the product.</think><answer>${JSON.stringify(verdict)}</answer>`;
  response.setHeader('content-type', 'application/json').end(
    JSON.stringify({
      choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 900, completion_tokens: 40, prompt_tokens_details: { cached_tokens: 800 } },
    }),
  );
});
await new Promise<void>((resolve) => standIn.listen(0, '127.0.0.1', resolve));
const { port } = standIn.address() as AddressInfo;

const auditor = chatAuditor({
  baseURL: `http://127.0.0.1:${port}/v1`, // vLLM, llama.cpp, OpenAI, …
  model: 'agentforesight-7b',
  prices: { input: 0.2, cachedInput: 0.05, output: 0.6 }, // per million tokens
});
const recorder = memoryRecorder();
const budget = { cost: 0.01, whenSpent: 'proceed' } as const;

const told: string[] = [];
const team = (product: number) =>
  withAuditor(async (_task, report) => {
    await report({ agent: 'solver', kind: 'agent', content: `17 * 23 = ${product}` });
    told.push(`The answer is ${product}.`);
  }, createRuntime({ auditor, recorder, budget }));

await team(391)('What is 17 * 23?');
const halt: unknown = await team(408)('What is 17 * 23?').catch((error: unknown) => error);
assert(halt instanceof AuditHalt);
assert.equal(halt.alarm?.reason, '17 * 23 is 391, not 408.');
assert.deepEqual(told, ['The answer is 391.']);
console.log(halt.message);

const calls = recorder.records
  .flatMap((record) => (record.type === 'verdict' ? (record.notes ?? []) : []))
  .filter((note) => note.type === 'call');
assert.deepEqual(
  calls.map(({ inputTokens, cachedInputTokens }) => [inputTokens, cachedInputTokens]),
  [
    [900, 800],
    [900, 800],
  ],
);
console.log(`each audit cost ${calls[0]?.cost?.toFixed(6)}`);
standIn.closeAllConnections();
standIn.close();
