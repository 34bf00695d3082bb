import { setTimeout as pause } from 'node:timers/promises';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
  type StreamMode,
} from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { langGraphPlugin } from '../../../plugins/langgraph/index.js';
import {
  type AgentStep,
  type Harness,
  type Run,
  type Scenario,
  type Step,
  spoken,
  type ToolUse,
  type Watch,
} from '../index.js';
import { ScriptedModel } from './scripted-model.js';

type State = typeof MessagesAnnotation.State;
type Update = typeof MessagesAnnotation.Update;
export type Graph = ReturnType<ReturnType<typeof graphBuilder>['compile']>;

/** Node names are data here: any text. */
const graphBuilder = () =>
  new StateGraph<typeof MessagesAnnotation.spec, State, Update, string>(MessagesAnnotation);

const threadOf = ({ thread }: Run) => ({ configurable: { thread_id: thread } });
const inputOf = (task: string) => ({ messages: [{ role: 'user', content: task, id: 'task' }] });
const taskOf = (messages: readonly BaseMessage[]) =>
  messages.find((message) => message.getType() === 'human')?.text ?? '';

/** Real graphs: nodes in a row, createAgent for tools, sub-graphs for lanes, agents inside function nodes for teams. */
export const langGraphHarness: Harness<Graph> = {
  plugin: langGraphPlugin as Harness<Graph>['plugin'],
  build(scenario, watch, saved) {
    const { unsaid } = scenario;
    const checkpointer = saved?.checkpointer ?? new MemorySaver();
    const graph = rowOf(scenario.steps, scenario, watch, { checkpointer });
    if (unsaid === undefined) return graph;
    return graph.withConfig({ metadata: { unsaid }, configurable: { unsaid }, tags: [unsaid] }) as Graph;
  },
  run: (graph, run) => graph.invoke(inputOf(run.task), threadOf(run)),
  async *stream(graph, run) {
    const shown = { streamMode: ['values', 'updates', 'messages', 'tasks'] as StreamMode[], subgraphs: true };
    yield* await graph.stream(inputOf(run.task), { ...threadOf(run), ...shown });
  },
  resume: (graph, run, answer) =>
    graph.invoke(answer === undefined ? null : new Command({ resume: answer }), threadOf(run)),
};

/** Lanes are nodes of one superstep: sub-graphs, for each goes on as fast as it can. */
function rowOf(steps: readonly Step[], scenario: Scenario, watch: Watch, options = {}): Graph {
  const graph = graphBuilder();
  let before = [START as string];
  for (const step of steps) {
    if ('agent' in step) {
      const work = step.calls ? toolAgent(step, step.calls, scenario, watch) : speaker(step, scenario, watch);
      const retryPolicy = {
        maxAttempts: step.attempts ?? 1,
        initialInterval: 1,
        jitter: false,
        logWarning: false,
      };
      graph.addNode(step.agent, work, { retryPolicy });
    } else {
      for (const lane of step.lanes) graph.addNode(laneName(lane), rowOf(lane, scenario, watch));
    }
    const nodes = 'agent' in step ? [step.agent] : step.lanes.map(laneName);
    for (const node of nodes) {
      if (before.length > 1) graph.addEdge(before, node);
      else for (const earlier of before) graph.addEdge(earlier, node);
    }
    before = nodes;
  }
  for (const node of before) graph.addEdge(node, END);
  return graph.compile(options);
}

const laneName = (lane: readonly AgentStep[]) => `lane of ${lane[0]?.agent}`;

function speaker(step: AgentStep, scenario: Scenario, watch: Watch) {
  const { agent, takesMs = 0, throws, asks, leads, swallows } = step;
  const team = leads && rowOf(leads, scenario, watch);
  let thrown = 0;
  return async ({ messages }: State, { configurable }: RunnableConfig) => {
    await pause(takesMs);
    const ran = () => watch.ran(agent, configurable?.['unsaid'] as string | undefined);
    if (throws && thrown++ < throws.times) {
      ran();
      throw throws.error;
    }
    const answer = asks === undefined ? '' : String(interrupt(asks));
    const task = taskOf(messages);
    if (team) {
      const led = team.invoke(inputOf(task));
      await (swallows ? led.catch(() => {}) : led);
    }
    ran();
    return { messages: [new AIMessage({ id: `${agent}-line`, content: spoken(step, task, answer) })] };
  };
}

function toolAgent(step: AgentStep, use: ToolUse, { unsaid }: Scenario, watch: Watch) {
  const { agent } = step;
  const id = `${agent}-call`;
  const model = new ScriptedModel((messages) => {
    watch.ran(agent, messages.find((message) => message.getType() === 'system')?.text);
    return ToolMessage.isInstance(messages.at(-1))
      ? new AIMessage({ id: `${agent}-line`, content: spoken(step, taskOf(messages)) })
      : new AIMessage({ id, content: '', tool_calls: [{ id, name: use.tool, args: use.args }] });
  });
  const work = async () => {
    watch.ran(use.tool);
    if (use.fails) throw new Error(use.answers);
    return use.answers;
  };
  const tools = [tool(work, { name: use.tool, description: 'Does it', schema: z.looseObject({}) })];
  return createAgent({ name: agent, model, tools, ...(unsaid === undefined ? {} : { systemPrompt: unsaid }) })
    .graph;
}
