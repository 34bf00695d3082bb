import { setTimeout as pause } from 'node:timers/promises';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, ToolMessage } from '@langchain/core/messages';
import type { RunnableConfig } from '@langchain/core/runnables';
import { tool } from '@langchain/core/tools';
import {
  type BaseCheckpointSaver,
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
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

export type Graph = ReturnType<typeof emptyGraph>;
type State = typeof MessagesAnnotation.State;

const threadOf = ({ thread }: Run) => ({ configurable: { thread_id: thread } });
const inputOf = ({ task }: Run) => ({ messages: [{ role: 'user', content: task, id: 'task' }] });
const taskOf = (messages: readonly BaseMessage[]) =>
  messages.find((message) => message.getType() === 'human')?.text ?? '';

/** Real graphs: nodes in a row, createAgent for tools, sub-graphs for lanes, agents inside function nodes for teams. */
export const langGraphHarness: Harness<Graph> = {
  plugin: langGraphPlugin as Harness<Graph>['plugin'],
  build(scenario, watch, saved) {
    const { unsaid } = scenario;
    const checkpointer = (saved?.checkpointer as BaseCheckpointSaver | undefined) ?? new MemorySaver();
    const graph = new GraphBuilder(scenario, watch).row(scenario.steps, checkpointer);
    if (unsaid === undefined) return graph;
    return graph.withConfig({ metadata: { unsaid }, configurable: { unsaid }, tags: [unsaid] }) as Graph;
  },
  run: (graph, run) => graph.invoke(inputOf(run), threadOf(run)),
  async *stream(graph, run) {
    yield* await graph.stream(inputOf(run), {
      ...threadOf(run),
      streamMode: ['values', 'updates', 'messages', 'tasks'],
      subgraphs: true,
    });
  },
  resume: (graph, run, answer) =>
    graph.invoke(answer === undefined ? null : new Command({ resume: answer }), threadOf(run)),
};

class GraphBuilder {
  readonly #scenario: Scenario;
  readonly #watch: Watch;

  constructor(scenario: Scenario, watch: Watch) {
    this.#scenario = scenario;
    this.#watch = watch;
  }

  /** Lanes are nodes of one superstep: an agent each, or a sub-graph. */
  row(steps: readonly Step[], checkpointer?: BaseCheckpointSaver): Graph {
    const graph = emptyBuilder();
    let before: string[] = [START];
    for (const [at, step] of steps.entries()) {
      const lanes = 'agent' in step ? [[step]] : step.lanes;
      const nodes = lanes.map((lane, number) => {
        const [only] = lane;
        if (only && lane.length === 1) return this.#node(graph, only);
        const name = `lane-${at}-${number}`;
        graph.addNode(name, this.row(lane));
        return name;
      });
      for (const node of nodes) graph.addEdge(before.length === 1 ? (before[0] as string) : before, node);
      before = nodes;
    }
    for (const node of before) graph.addEdge(node, END);
    return graph.compile(checkpointer ? { checkpointer } : {});
  }

  #node(graph: Builder, step: AgentStep): string {
    const { agent, attempts = 1 } = step;
    const work = step.calls ? this.#toolAgent(step, step.calls) : this.#speaker(step);
    const retryPolicy = { maxAttempts: attempts, initialInterval: 1, jitter: false, logWarning: false };
    graph.addNode(agent, work, attempts > 1 ? { retryPolicy } : {});
    return agent;
  }

  #speaker(step: AgentStep) {
    const { agent, takesMs = 0, throws, asks, leads, swallows } = step;
    const team = leads && this.row(leads);
    let thrown = 0;
    return async ({ messages }: State, config: RunnableConfig) => {
      if (takesMs > 0) await pause(takesMs);
      const ran = () => this.#watch.ran(agent, config.configurable?.['unsaid'] as string | undefined);
      if (throws && thrown < throws.times) {
        thrown++;
        ran();
        throw throws.error;
      }
      const answer = asks === undefined ? '' : String(interrupt(asks));
      const task = taskOf(messages);
      if (team) {
        const led = team.invoke(inputOf({ task, thread: '' }));
        await (swallows ? led.catch(() => {}) : led);
      }
      ran();
      return { messages: [new AIMessage({ id: `${agent}-line`, content: spoken(step, task, answer) })] };
    };
  }

  #toolAgent(step: AgentStep, use: ToolUse) {
    const { agent } = step;
    const model = new ScriptedModel((messages) => {
      this.#watch.ran(agent, messages.find((message) => message.getType() === 'system')?.text);
      return ToolMessage.isInstance(messages.at(-1))
        ? new AIMessage({ id: `${agent}-line`, content: spoken(step, taskOf(messages)) })
        : new AIMessage({
            id: `${agent}-call`,
            content: '',
            tool_calls: [{ id: `${agent}-call`, name: use.tool, args: use.args }],
          });
    });
    const systemPrompt = this.#scenario.unsaid;
    return createAgent({
      name: agent,
      model,
      tools: [this.#tool(use)],
      ...(systemPrompt === undefined ? {} : { systemPrompt }),
    }).graph;
  }

  #tool({ tool: name, answers, fails }: ToolUse) {
    const work = async () => {
      this.#watch.ran(name);
      if (fails) throw new Error(answers);
      return answers;
    };
    return tool(work, { name, description: `Does ${name}`, schema: z.looseObject({}) });
  }
}

/** Says by the messages alone what it says, so that one agent serves any number of runs. */
class ScriptedModel extends BaseChatModel {
  readonly #reply: (messages: readonly BaseMessage[]) => AIMessage;

  constructor(reply: (messages: readonly BaseMessage[]) => AIMessage) {
    super({});
    this.#reply = reply;
  }

  override _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const message = this.#reply(messages);
    return { generations: [{ text: message.text, message }] };
  }
}

/** Node names are data here, which LangGraph's builder types cannot follow. */
interface Builder {
  addNode(name: string, work: unknown, options?: object): unknown;
  addEdge(from: string | string[], to: string): unknown;
  compile(options: object): Graph;
}

function emptyBuilder(): Builder {
  return new StateGraph(MessagesAnnotation) as unknown as Builder;
}

function emptyGraph() {
  return new StateGraph(MessagesAnnotation)
    .addNode('node', async () => ({ messages: [] as BaseMessage[] }))
    .addEdge(START, 'node')
    .compile();
}
