import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { z } from 'zod';
import { callingModel } from './language-model.js';
import { type Hook, offerOf, requireSteps, type Subject, TASK } from './subject.js';

const options = { maxSteps: 200 };

export function subjects(hook: Hook): Readonly<Record<string, Subject>> {
  const agent = hook(buyer(99));
  const team = hook(leader(10));
  const flow = hook(workflow(100));
  return {
    generate: {
      label: 'Agent.generate',
      steps: 100,
      run: async () => requireSteps((await agent.generate(TASK, options)).steps.length, 100),
    },
    stream: {
      label: 'Agent.stream',
      steps: 100,
      run: async () => {
        const stream = await agent.stream(TASK, options);
        await stream.consumeStream();
        requireSteps((await stream.steps).length, 100);
      },
    },
    team: {
      label: 'an agent with a sub-agent',
      steps: 11 + 10 * 4,
      run: async () => requireSteps((await team.generate(TASK, options)).steps.length, 11),
    },
    workflow: {
      label: 'a workflow of plain steps',
      steps: 100,
      run: async () => {
        const run = await flow.createRun();
        const result = await run.start({ inputData: { offer: TASK } });
        if (result.status !== 'success') throw new Error(`the workflow ended as ${result.status}`);
        requireSteps(Object.keys(result.steps).length - 1, 100);
      },
    },
  };
}

const lookUp = createTool({
  id: 'get_offer',
  description: 'Asks a supplier for an offer',
  inputSchema: z.object({ supplier: z.string(), quantity: z.number() }),
  execute: async ({ supplier }) => offerOf(supplier),
});

function buyer(calls: number) {
  const model = callingModel('get_offer', calls, { supplier: 'S-1004', quantity: 40 });
  return agentOf('buyer', model, { tools: { get_offer: lookUp } });
}

function leader(calls: number) {
  const model = callingModel('agent-buyer', calls, { prompt: TASK });
  return agentOf('leader', model, { agents: { buyer: buyer(3) } });
}

function agentOf(name: string, model: object, more: object) {
  return new Agent({
    id: name,
    name,
    description: `The ${name}`,
    instructions: `You are the ${name}.`,
    model: model as MastraLanguageModel, // Mastra and the AI SDK declare the same interface, apart
    ...more,
  });
}

function workflow(steps: number) {
  const offer = z.object({ offer: z.string() });
  let flow = createWorkflow({ id: 'offers', inputSchema: offer, outputSchema: offer });
  for (let at = 0; at < steps; at++) {
    const id = `offer-${at}`;
    const execute = async () => ({ offer: offerOf(id) });
    flow = flow.then(createStep({ id, inputSchema: offer, outputSchema: offer, execute })) as typeof flow;
  }
  return flow.commit();
}
