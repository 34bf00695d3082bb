// An agent with a tool, hooked by one changed line. The alarm comes before the model is called again.
import assert from 'node:assert/strict';
import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { AuditHalt, createRuntime } from 'agentforesight';
import { withAuditor } from 'agentforesight/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';

const getWeather = tool(async ({ city }) => `${city}: 31 degrees`, {
  name: 'get_weather',
  description: 'The temperature in a city',
  schema: z.object({ city: z.string() }),
});
const asksForWeather = new AIMessage({
  content: '',
  tool_calls: [{ id: 'call-1', name: 'get_weather', args: { city: 'Lima' } }],
});
const agentThatSays = (answer: string) =>
  createAgent({
    model: fakeModel().respond(asksForWeather).respond(new AIMessage(answer)),
    tools: [getWeather],
    name: 'forecaster',
  });
const question = { messages: [{ role: 'user', content: 'How warm is it in Lima?' }] };

const agent = withAuditor(agentThatSays('It is 31 degrees in Lima.'), createRuntime()); // the one line
const { messages } = await agent.invoke(question);
assert.equal(messages.at(-1)?.text, 'It is 31 degrees in Lima.');

const mistaken = withAuditor(agentThatSays('It is 13 degrees in Lima.'), createRuntime());
const halt: unknown = await mistaken.invoke(question).catch((error: unknown) => error);
assert(halt instanceof AuditHalt);
assert.deepEqual(
  halt.turns.map(({ agent: speaker, kind }) => `${speaker} ${kind}`),
  ['user user', 'forecaster agent', 'forecaster tool', 'forecaster agent'],
);
console.log(halt.message);
