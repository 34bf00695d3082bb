import { stepCountIs, ToolLoopAgent, tool } from 'ai';
import { z } from 'zod';
import { callingModel } from './language-model.js';
import { type Hook, offerOf, requireSteps, type Subject, TASK } from './subject.js';

export function subjects(hook: Hook): Readonly<Record<string, Subject>> {
  const agent = hook(buyer(99));
  const team = hook(leader(10));
  return {
    generate: {
      label: 'ToolLoopAgent.generate',
      steps: 100,
      run: async () => requireSteps((await agent.generate({ prompt: TASK })).steps.length, 100),
    },
    stream: {
      label: 'ToolLoopAgent.stream',
      steps: 100,
      run: async () => {
        const stream = await agent.stream({ prompt: TASK });
        await stream.consumeStream();
        requireSteps((await stream.steps).length, 100);
      },
    },
    team: {
      label: 'an agent in a tool',
      steps: 11 + 10 * 4,
      run: async () => requireSteps((await team.generate({ prompt: TASK })).steps.length, 11),
    },
  };
}

const lookUp = tool({
  description: 'Asks a supplier for an offer',
  inputSchema: z.object({ supplier: z.string(), quantity: z.number() }),
  execute: async ({ supplier }) => offerOf(supplier),
});

function buyer(calls: number) {
  const model = callingModel('get_offer', calls, { supplier: 'S-1004', quantity: 40 });
  return new ToolLoopAgent({ id: 'buyer', model, tools: { get_offer: lookUp }, stopWhen: stepCountIs(200) });
}

function leader(calls: number) {
  const inner = buyer(3);
  const ask = tool({
    description: 'Asks the buyer',
    inputSchema: z.object({ prompt: z.string() }),
    execute: async ({ prompt }, { abortSignal }) =>
      (await inner.generate({ prompt, ...(abortSignal && { abortSignal }) })).text,
  });
  const model = callingModel('ask_buyer', calls, { prompt: TASK });
  return new ToolLoopAgent({ id: 'leader', model, tools: { ask_buyer: ask }, stopWhen: stepCountIs(200) });
}
