// A team of the OpenAI Agents SDK misreads a tool, and is halted before the next agent acts on it.
import assert from 'node:assert/strict';
import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { createRuntime } from 'agentforesight';
import { AuditorTripwireTriggered, withAuditor } from 'agentforesight/openai-agents';
import { z } from 'zod';

const getWeather = tool({
  name: 'get_weather',
  description: 'The temperature in a city',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `${city}: 31 degrees`,
});

const runner = new Runner({ tracingDisabled: true });

/** Scripted models stand in for language models; the agents, their tool and the function that runs them are real. */
function team(claim: string) {
  const packing = new ScriptedModel([[assistantMessage('Take a hat.')]]);
  const packer = new Agent({ name: 'packer', model: packing });
  const forecasting = new ScriptedModel([
    [functionCall('get_weather', { city: 'Lima' }, { callId: 'call-1' })],
    [assistantMessage(claim)],
  ]);
  const forecaster = new Agent({ name: 'forecaster', model: forecasting, tools: [getWeather] });
  const host = async (question: string) => {
    const { finalOutput } = await runner.run(forecaster, question);
    return (await runner.run(packer, String(finalOutput))).finalOutput;
  };
  return { host: withAuditor(host, createRuntime()), packing }; // was: host
}

const question = 'How warm is it in Lima, and what do I pack?';

const wrong = team('It is 13 degrees in Lima.');
try {
  await wrong.host(question);
  assert.fail('the run was to be halted');
} catch (error) {
  if (!(error instanceof AuditorTripwireTriggered)) throw error;
  console.log(`halted at step ${error.result.step} (${error.result.agent}): ${error.result.reason}`);
  assert.equal(error.result.agent, 'forecaster');
  assert.equal(wrong.packing.calls.length, 0, 'nobody acted on it');
}

const right = await team('It is 31 degrees in Lima.').host(question);
console.log(`a healthy run: ${right}`);
assert.equal(right, 'Take a hat.');
