// A consumer with Mastra: the hooked workflow keeps its type, and an alarm ends the run as a tripwire before the next step.
import assert from 'node:assert/strict';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { createRuntime } from 'agentforesight';
import { isAuditorTripwire, withAuditor } from 'agentforesight/mastra';
import { proceed, ScriptedAuditor } from 'agentforesight/testing';
import { z } from 'zod';

const sent: string[] = [];
const schema = z.object({ text: z.string() });
const stepThat = (id: string, work: () => void) =>
  createStep({
    id,
    inputSchema: schema,
    outputSchema: schema,
    execute: async () => {
      work();
      return { text: id };
    },
  });
const workflow = createWorkflow({ id: 'mail', inputSchema: schema, outputSchema: schema })
  .then(stepThat('write', () => {}))
  .then(stepThat('send', () => sent.push('mail')))
  .commit();
const inputData = { text: 'go' };

const approved: typeof workflow = withAuditor(workflow, createRuntime());
const whole = await (await approved.createRun()).start({ inputData });
assert.equal(whole.status, 'success');
assert.equal(sent.length, 1);

const alarm = { kind: 'alarm', step: 1, agent: 'write', reason: 'wrong' };
const halted = withAuditor(workflow, createRuntime({ auditor: new ScriptedAuditor([alarm], proceed) }));
const result = await (await halted.createRun()).start({ inputData });
assert(isAuditorTripwire(result));
assert.deepEqual([result.tripwire.metadata.agent, sent.length], ['write', 1]);
console.log('with Mastra: ok');
