import { setTimeout as pause } from 'node:timers/promises';
import { Mastra } from '@mastra/core';
import { Agent, type MastraLanguageModel } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore, type MastraCompositeStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { type AnyWorkflow, createStep, createWorkflow } from '@mastra/core/workflows';
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
 * The host is a workflow: rows are agent steps one after another, lanes nested workflows side by side, a team a nested
 * workflow before the step of the agent that leads it; one that swallows what its team throws runs it in its own code.
 */
export const mastraWorkflowHarness: Harness<AnyWorkflow> = {
  plugin: mastraPlugin as Plugin<AnyWorkflow>,
  build(scenario, watch, saved) {
    const workflow = new Play(scenario, watch).workflow('host', scenario.steps);
    const storage: MastraCompositeStore = saved?.mastra?.getStorage() ?? new InMemoryStore();
    new Mastra({ workflows: { workflow }, storage, logger: false });
    return workflow;
  },
  async run(workflow, { task, thread }) {
    const run = await workflow.createRun({ runId: thread });
    return ended(await run.start({ inputData: { prompt: task }, requestContext: contextOf(task) }));
  },
  async *stream(workflow, { task, thread }) {
    const run = await workflow.createRun({ runId: thread });
    const output = run.stream({ inputData: { prompt: task }, requestContext: contextOf(task) });
    yield* laneByLane(output.fullStream);
    ended(await output.result);
  },
  async resume(workflow, { thread }, answer) {
    const run = await workflow.createRun({ runId: thread });
    return ended(await run.resume({ resumeData: { answer } }));
  },
};

/** What lanes stream is shown lane by lane: which is quicker is no part of what a host does. */
async function* laneByLane(chunks: AsyncIterable<{ readonly payload?: unknown }>): AsyncGenerator<unknown> {
  const lanes = new Map<string, unknown[]>();
  const laneOf = new Map<string, string>();
  const flush = () => {
    const held = [...lanes].toSorted(([one], [other]) => (one < other ? -1 : 1)).flatMap(([, of]) => of);
    lanes.clear();
    return held;
  };
  for await (const chunk of chunks) {
    const { stepName = '' } = (chunk.payload ?? {}) as { readonly stepName?: string };
    const lane = /^host-\d+-\d+/.exec(stepName)?.[0] ?? laneOf.get(stepName);
    if (lane === undefined) {
      yield* flush();
      yield shown(chunk);
      continue;
    }
    laneOf.set(stepName.split('.').at(-1) ?? '', lane); // by which its agent's words come
    lanes.set(lane, [...(lanes.get(lane) ?? []), shown(chunk)]);
  }
  yield* flush();
}

const contextOf = (task: string) => new RequestContext<unknown>([['task', task]]);

type Result = Awaited<ReturnType<Awaited<ReturnType<AnyWorkflow['createRun']>>['start']>>;

/** @throws what has halted the run, or the error of the step that failed */
function ended(result: Result): unknown {
  const halt = auditHalt(result);
  if (halt) throw halt;
  for (const step of Object.values<{ status: string; error?: unknown }>(result.steps)) {
    if (result.status === 'failed' && step.status === 'failed') throw step.error;
  }
  return shown({ status: result.status, result: 'result' in result ? result.result : undefined });
}

/** Without times of day and random ids, which no two runs have in common. */
function shown(value: unknown): unknown {
  const isOfRun = (key: string) => /(At|[Tt]imestamp|Id|^id)$/.test(key);
  return JSON.parse(JSON.stringify(value, (key, inner) => (isOfRun(key) ? undefined : inner)));
}

const prompt = z.object({ prompt: z.string() });

class Play {
  readonly #scenario: Scenario;
  readonly #watch: Watch;
  /** How often each agent has thrown. */
  readonly #thrown = new Map<string, number>();
  readonly #answers = new Map<string, string>();

  constructor(scenario: Scenario, watch: Watch) {
    this.#scenario = scenario;
    this.#watch = watch;
  }

  workflow(id: string, steps: readonly Step[]): AnyWorkflow {
    let flow: AnyWorkflow = createWorkflow({ id, inputSchema: prompt, outputSchema: z.any() });
    for (const [at, step] of steps.entries()) {
      flow = 'agent' in step ? this.#agent(flow, step) : this.#lanes(flow, step.lanes, `${id}-${at}`);
    }
    return flow.commit();
  }

  #lanes(flow: AnyWorkflow, lanes: readonly (readonly Step[])[], id: string): AnyWorkflow {
    const side = lanes.map((lane, number) => this.workflow(`${id}-${number}`, lane));
    return asked(flow, id).parallel(side as never);
  }

  #agent(flow: AnyWorkflow, step: AgentStep): AnyWorkflow {
    const { agent: name, asks, leads, swallows, attempts = 1 } = step;
    let before = flow;
    if (leads && !swallows) {
      before = asked(before, `${name}-team`).then(this.workflow(`${name}-team`, leads) as never);
    }
    if (asks !== undefined) before = this.#asking(before, step);
    const team = leads && swallows ? this.workflow(`${name}-team`, leads) : undefined;
    return asked(before, name).then(
      createStep(this.#speaker(step, team), { retries: attempts - 1 }) as never,
    );
  }

  /** A mapping asks the human, for what a step of plain code returns would be a turn. */
  #asking(flow: AnyWorkflow, { agent, asks }: AgentStep): AnyWorkflow {
    const ask = async ({ inputData, resumeData, suspend }: Asking) => {
      if (!resumeData) return suspend({ asks });
      this.#answers.set(agent, resumeData.answer);
      return inputData;
    };
    return flow.map(ask as never, { id: `${agent}-asks` });
  }

  #speaker(step: AgentStep, team: AnyWorkflow | undefined): Agent {
    const { agent: name, takesMs = 0, throws, calls } = step;
    const instructions = async ({ requestContext }: Told) => {
      await pause(takesMs);
      const times = this.#thrown.get(name) ?? 0;
      if (throws && times < throws.times) {
        this.#thrown.set(name, times + 1);
        this.#watch.ran(name);
        throw throws.error;
      }
      const run = await team?.createRun();
      await run?.start({ inputData: { prompt: String(requestContext.get('task')) } });
      return this.#scenario.unsaid ?? 'Answer.';
    };
    const model = scriptedModel((messages) => {
      this.#watch.ran(name, systemIn(messages));
      const isAnswered = messages.at(-1)?.role === 'tool';
      if (calls && !isAnswered)
        return { calls: [{ id: `${name}-call`, name: calls.tool, args: calls.args }] };
      return { text: spoken(step, taskIn(messages), this.#answers.get(name)) };
    });
    return new Agent({
      id: name,
      name,
      instructions,
      // Mastra and the AI SDK declare the same interface, apart.
      model: model as unknown as MastraLanguageModel,
      ...(calls ? { tools: { [calls.tool]: toolOf(calls, this.#watch) } } : {}),
    });
  }
}

interface Told {
  readonly requestContext: RequestContext;
}

interface Asking {
  readonly inputData: unknown;
  readonly resumeData?: { readonly answer: string };
  readonly suspend: (payload: object) => unknown;
}

/** Whoever comes next is asked what the workflow was asked. */
function asked(flow: AnyWorkflow, who: string): AnyWorkflow {
  const initial = async ({ getInitData }: { readonly getInitData: () => unknown }) => getInitData();
  return flow.map(initial as never, { id: `ask-${who}` });
}

function toolOf({ tool, answers, fails }: ToolUse, watch: Watch) {
  const execute = async () => {
    watch.ran(tool);
    if (fails) throw new Error(answers);
    return answers;
  };
  return createTool({ id: tool, description: 'Does it', inputSchema: z.looseObject({}), execute });
}

const systemIn = (messages: Prompt) =>
  messages.find(({ role }) => role === 'system')?.content as string | undefined;

function taskIn(messages: Prompt): string {
  const parts = messages.find(({ role }) => role === 'user')?.content as readonly {
    readonly text?: string;
  }[];
  return parts.map(({ text = '' }) => text).join('');
}
