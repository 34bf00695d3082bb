import { setTimeout as pause } from 'node:timers/promises';
import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import type { Plugin } from '../../../core/index.js';
import { auditHalt, mastraPlugin } from '../../../plugins/mastra/index.js';
import { type Prompt, scriptedModel } from '../../support/mastra-agents.js';
import {
  type AgentStep,
  type Harness,
  type Scenario,
  type Step,
  spoken,
  type ToolUse,
  type Watch,
} from '../index.js';

/**
 * Agents alone: the host is the last agent of the scenario, whose own code, here its dynamic instructions, leads all who
 * come before. Rows are calls of one agent after another, lanes calls side by side of the last agent of each.
 */
export const mastraHarness: Harness<Agent> = {
  plugin: mastraPlugin as Plugin<Agent>,
  build(scenario, watch) {
    const last = scenario.steps.at(-1);
    if (!last || 'lanes' in last) throw new Error('it is an agent that answers the caller');
    return agentOf(last, scenario.steps.slice(0, -1), { scenario, watch, thrown: new Map() });
  },
  async run(agent, { task }) {
    const { text, toolCalls, toolResults, finishReason, usage, steps, ...rest } = await speak(agent, task);
    throwHalt({ finishReason, ...rest });
    return shown({
      text,
      toolCalls,
      toolResults,
      finishReason,
      usage,
      steps: steps.map((step) => step.content),
    });
  },
  async *stream(agent, { task }) {
    const output = await agent.stream(task, contextOf(task));
    for await (const chunk of output.fullStream) {
      yield shown(chunk);
      if (chunk.type === 'error') throw chunk.payload.error;
    }
    throwHalt(output);
  },
};

const contextOf = (task: string) => ({ requestContext: new RequestContext([['task', task]]) });
const speak = (agent: Agent, task: string) => agent.generate(task, contextOf(task));

function throwHalt(result: object): void {
  const halt = auditHalt(result);
  if (halt) throw halt;
}

/** Without the times of day, which no two runs have in common. */
function shown(value: unknown): unknown {
  const isTime = (key: string) => ['startedAt', 'endedAt', 'createdAt', 'timestamp'].includes(key);
  return JSON.parse(JSON.stringify(value, (key, inner) => (isTime(key) ? undefined : inner)));
}

/** How often each agent has thrown. */
type Thrown = Map<string, number>;

/** What a scenario's agents share. */
interface Play {
  readonly scenario: Scenario;
  readonly watch: Watch;
  readonly thrown: Thrown;
}

async function row(steps: readonly Step[], task: string, play: Play): Promise<void> {
  for (const step of steps) {
    if ('agent' in step) await tried(step, [], task, play);
    else
      await Promise.all(
        step.lanes.map((lane) => tried(lane.at(-1) as AgentStep, lane.slice(0, -1), task, play)),
      );
  }
}

/** Code that looks at what it gets, as it should: Mastra throws no tripwires. */
async function tried(step: AgentStep, before: readonly Step[], task: string, play: Play): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      const { tripwire } = await speak(agentOf(step, before, play), task);
      if (tripwire) throw new Error(tripwire.reason);
      return;
    } catch (error) {
      if (attempt >= (step.attempts ?? 1)) throw error;
    }
  }
}

function agentOf(step: AgentStep, before: readonly Step[], play: Play): Agent {
  const { scenario, watch, thrown } = play;
  const { agent: name, takesMs = 0, throws, asks, leads = [], swallows, calls } = step;
  if (asks !== undefined)
    throw new Error('an agent asks for the approval of a tool call, and for nothing else');
  const instructions = async ({ requestContext }: { readonly requestContext: RequestContext }) => {
    const task = String(requestContext.get('task'));
    await row(before, task, play);
    await pause(takesMs);
    const times = thrown.get(name) ?? 0;
    if (throws && times < throws.times) {
      thrown.set(name, times + 1);
      watch.ran(name);
      throw throws.error;
    }
    const led = row(leads, task, play);
    await (swallows ? led.catch(() => {}) : led);
    return scenario.unsaid ?? 'Answer.';
  };
  const model = scriptedModel((prompt) => {
    watch.ran(name, systemIn(prompt));
    const isAnswered = prompt.at(-1)?.role === 'tool';
    if (!calls || isAnswered) return { text: spoken(step, taskIn(prompt)) };
    return { calls: [{ id: `${name}-call`, name: calls.tool, args: calls.args }] };
  });
  return new Agent({
    id: name,
    name,
    instructions,
    // Mastra and the AI SDK declare the same interface, apart.
    model: model as unknown as MastraLanguageModel,
    ...(calls ? { tools: { [calls.tool]: toolOf(calls, watch) } } : {}),
  });
}

function toolOf({ tool, answers, fails }: ToolUse, watch: Watch) {
  const execute = async () => {
    watch.ran(tool);
    if (fails) throw new Error(answers);
    return answers;
  };
  return createTool({ id: tool, description: 'Does it', inputSchema: z.looseObject({}), execute });
}

const systemIn = (prompt: Prompt) =>
  prompt.find(({ role }) => role === 'system')?.content as string | undefined;

function taskIn(prompt: Prompt): string {
  const parts = prompt.find(({ role }) => role === 'user')?.content as readonly { readonly text?: string }[];
  return parts.map(({ text = '' }) => text).join('');
}
