import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { createTool } from '@mastra/core/tools';
import { type AnyWorkflow, createStep, createWorkflow } from '@mastra/core/workflows';
import { isAuditorTripwire, withAuditor } from 'agentforesight/mastra';
import { z } from 'zod';
import { slowModel } from './ai-sdk.js';
import { conversationOf, toolAgentOf, type Workloads } from './workload.js';

export const workloads: Workloads = {
  conversation: (count) => ({
    label: conversationOf(count),
    prepare(_ran, runtime) {
      const flow = talk(count);
      const host = runtime ? withAuditor(flow, runtime) : flow;
      return async () => {
        const result = await (await host.createRun()).start({ inputData: { prompt: 'go' } });
        if (isAuditorTripwire(result)) return true;
        if (result.status !== 'success') throw new Error(`the workflow ended as ${result.status}`);
        return false;
      };
    },
  }),
  toolAgent: (calls) => ({
    label: toolAgentOf(calls),
    prepare(ran, runtime) {
      const note = createTool({
        id: 'note',
        description: 'Notes',
        inputSchema: z.object({}),
        execute: async () => {
          ran.push(`note ${ran.length}`);
          return 'noted';
        },
      });
      const agent = agentOf('solo', calls, { tools: { note } });
      const host = runtime ? withAuditor(agent, runtime) : agent;
      return async () => isAuditorTripwire(await host.generate('go', { maxSteps: calls + 1 }));
    },
  }),
};

function talk(agents: number): AnyWorkflow {
  const prompt = z.object({ prompt: z.string() });
  const text = z.object({ text: z.string() });
  let flow: AnyWorkflow = createWorkflow({ id: 'talk', inputSchema: prompt, outputSchema: text });
  const handOn = async ({ inputData }: { inputData: { text: string } }) => ({ prompt: inputData.text });
  for (let at = 0; at < agents; at++) {
    if (at > 0) flow = flow.map(handOn as never);
    flow = flow.then(createStep(agentOf(`agent-${at}`, 0)) as never);
  }
  return flow.commit();
}

function agentOf(name: string, calls: number, more: object = {}) {
  const model = slowModel(calls) as unknown as MastraLanguageModel; // the AI SDK's interface, declared apart
  return new Agent({ id: name, name, instructions: `You are ${name}.`, model, ...more });
}
