// The AI SDK: an agent, a stream, and a function that calls agents, each hooked by one changed line. The model is scripted.
import assert from 'node:assert/strict';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/ai-sdk';
import { generateText, jsonSchema, ToolLoopAgent, tool } from 'ai';
import { convertArrayToReadableStream, MockLanguageModelV4 } from 'ai/test';

const usage = {
  inputTokens: { total: 20, noCache: 20, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 5, text: 5, reasoning: 0 },
};
const asksForWeather = {
  type: 'tool-call' as const,
  toolCallId: 'call-1',
  toolName: 'getWeather',
  input: '{"city":"Lima"}',
};
const modelThatSays = (answer: string) =>
  new MockLanguageModelV4({
    doGenerate: async ({ prompt, tools }) => {
      const asks = tools !== undefined && prompt.at(-1)?.role !== 'tool';
      const unified = asks ? ('tool-calls' as const) : ('stop' as const);
      const content = [asks ? asksForWeather : { type: 'text' as const, text: answer }];
      return { content, finishReason: { unified, raw: undefined }, usage, warnings: [] };
    },
    doStream: async ({ prompt }) => {
      const asks = prompt.at(-1)?.role !== 'tool';
      const finishReason = { unified: asks ? ('tool-calls' as const) : ('stop' as const), raw: undefined };
      const text = [
        { type: 'text-start' as const, id: '1' },
        { type: 'text-delta' as const, id: '1', delta: answer },
        { type: 'text-end' as const, id: '1' },
      ];
      const content = asks ? [asksForWeather] : text;
      return {
        stream: convertArrayToReadableStream([...content, { type: 'finish' as const, finishReason, usage }]),
      };
    },
  });
const getWeather = tool({
  description: 'The temperature in a city',
  inputSchema: jsonSchema<{ city: string }>({ type: 'object' }),
  execute: async ({ city }) => `${city}: 31 degrees`,
});
const forecasterThatSays = (answer: string) =>
  new ToolLoopAgent({
    id: 'forecaster',
    model: modelThatSays(answer),
    tools: { getWeather },
    onError: () => {}, // by default the SDK prints a stream's errors
  });
const prompt = 'How warm is it in Lima?';

const agent = withAuditor(forecasterThatSays('It is 31 degrees in Lima.'), createRuntime()); // the one line
assert.equal((await agent.generate({ prompt })).text, 'It is 31 degrees in Lima.');

const mistaken = withAuditor(forecasterThatSays('It is 13 degrees in Lima.'), createRuntime());
const halt: unknown = await mistaken.generate({ prompt }).catch((error: unknown) => error);
assert(halt instanceof AuditHalt);
assert.deepEqual(
  halt.turns.map(({ agent: speaker, kind }) => `${speaker} ${kind}`),
  ['user user', 'forecaster agent', 'forecaster tool', 'forecaster agent'],
);
console.log(halt.message);

// A stream has the halt as an `error` part, and its promises reject with it.
const result = await mistaken.stream({ prompt });
const parts = await Array.fromAsync(result.fullStream);
assert(parts.some((part) => part.type === 'error' && part.error instanceof AuditHalt));
await assert.rejects(Promise.resolve(result.text), AuditHalt);

// A function that calls agents is one run with all of them.
const solve = withAuditor(async (task: string) => {
  const { text } = await forecasterThatSays('It is 13 degrees in Lima.').generate({ prompt: task });
  return generateText({ model: modelThatSays('Take a coat.'), prompt: `What to wear? ${text}` });
}, createRuntime());
await assert.rejects(solve(prompt), AuditHalt);
