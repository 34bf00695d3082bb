import { setTimeout as delay } from 'node:timers/promises';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { tool } from '@langchain/core/tools';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import type { Runtime } from 'agentforesight';
import { type LangGraphHost, withAuditor } from 'agentforesight/langgraph';
import { createAgent } from 'langchain';
import { z } from 'zod';
import { halted } from './halted.js';
import { conversationOf, MODEL_MS, toolAgentOf, type Workload, type Workloads } from './workload.js';

export const workloads: Workloads = { conversation, toolAgent };

type Graph = LangGraphHost & { invoke(input: unknown): Promise<unknown> };

const input = { messages: [{ role: 'user', content: 'go' }] };

function running(build: (ran: string[]) => Graph): Workload['prepare'] {
  console.error = silenced(console.error);
  return (ran, runtime?: Runtime) => {
    const graph = build(ran);
    const host = runtime ? withAuditor(graph, runtime) : graph;
    return () => halted(host.invoke(input));
  };
}

function conversation(agents: number): Workload {
  const build = () => {
    const builder = new StateGraph(MessagesAnnotation) as unknown as Builder;
    for (let at = 0; at < agents; at++) {
      const model = new SlowModel([{ say: `agent ${at} adds its part` }]);
      const node = async ({ messages }: { messages: AIMessage[] }) => ({
        messages: [await model.invoke(messages)],
      });
      builder.addNode(`agent-${at}`, node, { metadata: { audit: 'overlap' } });
      builder.addEdge(at === 0 ? START : `agent-${at - 1}`, `agent-${at}`);
    }
    builder.addEdge(`agent-${agents - 1}`, END);
    return builder.compile();
  };
  return { label: conversationOf(agents), prepare: running(build) };
}

/** What the benchmark uses of LangGraph's builder, whose own type knows every node by name. */
interface Builder {
  addNode(name: string, node: unknown, options: object): void;
  addEdge(from: string, to: string): void;
  compile(): Graph;
}

function toolAgent(calls: number): Workload {
  const build = (ran: string[]) => {
    const replies = Array.from({ length: calls }, (_, at) => ({ say: `step ${at}`, calls: at }));
    const note = tool(
      async ({ at }) => {
        ran.push(`note ${at}`);
        return 'noted';
      },
      { name: 'note', description: 'Notes', schema: z.object({ at: z.number() }) },
    );
    return createAgent({ model: new SlowModel([...replies, { say: 'done' }]), tools: [note], name: 'solo' });
  };
  return { label: toolAgentOf(calls), prepare: running(build as unknown as (ran: string[]) => Graph) };
}

interface Reply {
  readonly say: string;
  /** The tool is called with this number. */
  readonly calls?: number;
}

/** Stands in for a provider: it answers by script, as late as one would. */
class SlowModel extends BaseChatModel {
  readonly #replies: Reply[];

  constructor(replies: readonly Reply[]) {
    super({});
    this.#replies = [...replies];
  }

  override bindTools(): this {
    return this;
  }

  override async _generate(): Promise<ChatResult> {
    await delay(MODEL_MS);
    const { say, calls } = this.#replies.shift() ?? { say: 'nothing is left to say' };
    const tool_calls =
      calls === undefined ? [] : [{ id: `call-${calls}`, name: 'note', args: { at: calls } }];
    const message = new AIMessage({ content: say, tool_calls });
    return { generations: [{ text: say, message }] };
  }

  override _llmType(): string {
    return 'slow';
  }
}

/** LangChain prints every throw of a callback handler, here each halt. */
function silenced(print: typeof console.error): typeof console.error {
  return (...args) => (String(args[0]).startsWith('Error in handler AuditHook') ? undefined : print(...args));
}
