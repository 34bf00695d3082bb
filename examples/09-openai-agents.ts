// A team of the OpenAI Agents SDK misreads its calculator, and is halted before the next agent acts on it.
import assert from 'node:assert/strict';
import { Agent, Runner, tool } from '@openai/agents';
import { assistantMessage, functionCall, ScriptedModel } from '@openai/agents-core/testing';
import { createRuntime } from 'agentforesight';
import { AuditorTripwireTriggered, withAuditor } from 'agentforesight/openai-agents';
import { z } from 'zod';

const add = tool({
  name: 'add',
  description: 'Adds two numbers',
  parameters: z.object({ a: z.number(), b: z.number() }),
  execute: async ({ a, b }) => String(a + b),
});

/** The only stand-in: for a language model. */
function team(claim: string) {
  const verifying = new ScriptedModel([[assistantMessage('The answer is verified.')]]);
  const verifier = new Agent({ name: 'verifier', model: verifying });
  const solving = new ScriptedModel([
    [functionCall('add', { a: 17, b: 23 }, { callId: 'call-1' })],
    [assistantMessage(claim), functionCall('transfer_to_verifier', {}, { callId: 'call-2' })],
  ]);
  return {
    solver: new Agent({ name: 'solver', model: solving, tools: [add], handoffs: [verifier] }),
    verifying,
  };
}

const runner = withAuditor(new Runner({ tracingDisabled: true }), createRuntime()); // was: new Runner(…)

const wrong = team('The tool returned 41, so the answer is 41.');
try {
  await runner.run(wrong.solver, 'What is 17 + 23?');
  assert.fail('the run was to be halted');
} catch (error) {
  if (!(error instanceof AuditorTripwireTriggered)) throw error;
  console.log(`halted at step ${error.result.step} (${error.result.agent}): ${error.result.reason}`);
  assert.equal(error.result.agent, 'solver');
  assert.equal(wrong.verifying.calls.length, 0, 'nobody acted on it');
}

const right = await runner.run(team('The tool returned 40, so the answer is 40.').solver, 'What is 17 + 23?');
console.log(`a healthy run: ${right.finalOutput}`);
assert.equal(right.finalOutput, 'The answer is verified.');
