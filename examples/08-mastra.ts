// A supervisor of Mastra's with a sub-agent, hooked by one changed line. The alarm stops both; the result says so.
import assert from 'node:assert/strict';
import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createRuntime } from 'agentforesight';
import { auditHalt, isAuditorTripwire, withAuditor } from 'agentforesight/mastra';
import { MockLanguageModelV3 } from 'ai/test';
import { z } from 'zod';

const published: string[] = [];
const tokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
const usage = { inputTokens: tokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };

/** A model that says its lines one after another; a line `tool {…}` calls the tool. */
function modelThatSays(...lines: string[]) {
  const model = new MockLanguageModelV3({
    doGenerate: async () => {
      const line = lines.shift() ?? '';
      const [, toolName, input] = /^(\S+) (\{.*\})$/.exec(line) ?? [];
      const called = toolName !== undefined && input !== undefined;
      const unified = called ? ('tool-calls' as const) : ('stop' as const);
      return {
        content: called
          ? [{ type: 'tool-call', toolCallId: `call-${toolName}`, toolName, input }]
          : [{ type: 'text', text: line }],
        finishReason: { unified, raw: unified },
        usage,
        warnings: [],
      };
    },
  });
  return model as unknown as MastraLanguageModel; // Mastra and the AI SDK declare the same interface, apart
}

const agentOf = (name: string, model: MastraLanguageModel, more = {}) =>
  new Agent({
    id: name,
    name,
    description: `The ${name}`,
    instructions: `You are the ${name}.`,
    model,
    ...more,
  });

const weather = createTool({
  id: 'weather',
  description: 'The temperature in a city',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `${city}: 31 degrees`,
});
const publish = createTool({
  id: 'publish',
  description: 'Publishes a text',
  inputSchema: z.object({ text: z.string() }),
  execute: async ({ text }) => published.push(text),
});

const editorOver = (forecast: string) => {
  const forecaster = agentOf('forecaster', modelThatSays('weather {"city":"Lima"}', forecast), {
    tools: { weather },
  });
  const model = modelThatSays(
    'agent-forecaster {"prompt":"How warm is it in Lima?"}',
    `publish {"text":"${forecast}"}`,
    'Done.',
  );
  return agentOf('editor', model, { agents: { forecaster }, tools: { publish } });
};

const editor = withAuditor(editorOver('It is 31 degrees in Lima.'), createRuntime()); // the one line
const { text, tripwire } = await editor.generate('Publish how warm it is in Lima.');
assert.deepEqual([text, tripwire], ['Done.', undefined]);
assert.deepEqual(published, ['It is 31 degrees in Lima.']);

const mistaken = withAuditor(editorOver('It is 13 degrees in Lima.'), createRuntime());
const result = await mistaken.generate('Publish how warm it is in Lima.');
assert(isAuditorTripwire(result));
const { step, agent } = result.tripwire.metadata;
assert.deepEqual([step, agent], [4, 'forecaster']);
assert.equal(published.length, 1); // nothing more was published
assert.deepEqual(
  auditHalt(result)?.turns.map((turn) => `${turn.agent} ${turn.kind}`),
  ['user user', 'editor agent', 'forecaster agent', 'forecaster tool', 'forecaster agent'],
);
console.log(result.tripwire.reason);
