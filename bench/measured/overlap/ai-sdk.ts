import { setTimeout as delay } from 'node:timers/promises';
import { withAuditor } from 'agentforesight/ai-sdk';
import { stepCountIs, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { callingModel } from '../overhead/language-model.js';
import { halted } from './halted.js';
import { conversationOf, MODEL_MS, toolAgentOf, type Workloads } from './workload.js';

export const workloads: Workloads = {
  conversation: (count) => ({
    label: conversationOf(count),
    prepare(_ran, runtime) {
      const agents = Array.from(
        { length: count },
        (_, at) => new ToolLoopAgent({ id: `agent-${at}`, model: slowModel(0) }),
      );
      const talk = async (task: string) => {
        let said = task;
        for (const agent of agents) said = (await agent.generate({ prompt: said })).text;
        return said;
      };
      const host = runtime ? withAuditor(talk, runtime, { audit: 'overlap' }) : talk;
      return () => halted(host('go'));
    },
  }),
  toolAgent: (calls) => ({
    label: toolAgentOf(calls),
    prepare(ran, runtime) {
      const note = tool({
        description: 'Notes',
        inputSchema: z.object({}),
        execute: async () => {
          ran.push(`note ${ran.length}`);
          return 'noted';
        },
      });
      const stopWhen = stepCountIs(calls + 1);
      const agent = new ToolLoopAgent({ id: 'solo', model: slowModel(calls), tools: { note }, stopWhen });
      const host = runtime ? withAuditor(agent, runtime) : agent;
      return () => halted(host.generate({ prompt: 'go' }));
    },
  }),
};

/** Answers as late as a provider would. */
export function slowModel(calls: number) {
  const model = callingModel('note', calls, {});
  const doGenerate: typeof model.doGenerate = async (call) => {
    await delay(MODEL_MS);
    return model.doGenerate(call);
  };
  const doStream: typeof model.doStream = async (call) => {
    await delay(MODEL_MS);
    return model.doStream(call);
  };
  return { ...model, doGenerate, doStream };
}
