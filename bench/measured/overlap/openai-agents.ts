import { setTimeout as delay } from 'node:timers/promises';
import { Agent, type ModelRequest, Runner, tool } from '@openai/agents';
import { withAuditor } from 'agentforesight/openai-agents';
import { z } from 'zod';
import { CallingModel } from '../overhead/openai-agents.js';
import { halted } from './halted.js';
import { conversationOf, MODEL_MS, toolAgentOf, type Workloads } from './workload.js';

export const workloads: Workloads = {
  conversation: (count) => ({
    label: conversationOf(count),
    prepare(_ran, runtime) {
      const runner = new Runner({ tracingDisabled: true });
      const agents = Array.from(
        { length: count },
        (_, at) => new Agent({ name: `agent-${at}`, model: new SlowModel('note', 0, {}) }),
      );
      const talk = async (task: string) => {
        let said = task;
        for (const agent of agents) said = String((await runner.run(agent, said)).finalOutput);
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
        name: 'note',
        description: 'Notes',
        parameters: z.object({}),
        execute: async () => {
          ran.push(`note ${ran.length}`);
          return 'noted';
        },
      });
      const agent = new Agent({ name: 'solo', model: new SlowModel('note', calls, {}), tools: [note] });
      const runner = new Runner({ tracingDisabled: true });
      const host = runtime ? withAuditor(runner, runtime) : runner;
      return () => halted(host.run(agent, 'go'));
    },
  }),
};

/** Answers as late as a provider would. */
class SlowModel extends CallingModel {
  override async getResponse(request: ModelRequest) {
    await delay(MODEL_MS);
    return super.getResponse(request);
  }
}
