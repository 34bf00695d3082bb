import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { tool } from '@langchain/core/tools';
import { type BaseCheckpointSaver, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createReactAgent } from '@langchain/langgraph/prebuilt';
import { createSupervisor } from '@langchain/langgraph-supervisor';
import { createHandoffTool, createSwarm } from '@langchain/langgraph-swarm';
import { createAgent } from 'langchain';
import { z } from 'zod';

/** A call as a script writes it. */
interface Call {
  readonly name: string;
  readonly args?: Record<string, unknown>;
}

/** One scripted model reply: what it says, and the tools it calls, several at once in a list. */
type Reply = string | { readonly say?: string; readonly call: Call | readonly Call[] };

export interface TeamOptions {
  /** Told of every model call and tool run, in order: `model:boss`, `tool:add`, `node:plan`. */
  readonly ran: string[];
  readonly checkpointer?: BaseCheckpointSaver | undefined;
}

/** A model that replies by script and notes each call; ids are fixed, so that two runs can be compared word by word. */
export function scriptedModel(agent: string, ran: string[], replies: readonly Reply[]) {
  const model = fakeModel();
  for (const [i, reply] of replies.entries()) {
    const { say = '', call } = typeof reply === 'string' ? { say: reply } : reply;
    model.respond(() => {
      ran.push(`model:${agent}`);
      const tool_calls = [call ?? []].flat().map(({ name, args = {} }, j) => ({
        id: j === 0 ? `${agent}-call-${i}` : `${agent}-call-${i}-${j}`,
        name,
        args,
      }));
      return new AIMessage({ id: `${agent}-${i}`, content: say, tool_calls });
    });
  }
  return model;
}

export function addTool(ran: string[]) {
  return tool(
    async ({ a, b }) => {
      ran.push('tool:add');
      return String(a + b);
    },
    { name: 'add', description: 'Adds two numbers', schema: z.object({ a: z.number(), b: z.number() }) },
  );
}

const adds: Call = { name: 'add', args: { a: 17, b: 23 } };

/** Three plain function nodes in a row. */
export function plainGraph({ ran, checkpointer }: TeamOptions) {
  const speaks = (name: string) => async () => {
    ran.push(`node:${name}`);
    return { messages: [new AIMessage({ id: `${name}-0`, content: `${name} speaks` })] };
  };
  return new StateGraph(MessagesAnnotation)
    .addNode('plan', speaks('plan'))
    .addNode('solve', speaks('solve'))
    .addNode('verify', speaks('verify'))
    .addEdge(START, 'plan')
    .addEdge('plan', 'solve')
    .addEdge('solve', 'verify')
    .addEdge('verify', END)
    .compile({ ...(checkpointer ? { checkpointer } : {}) });
}

/** One agent with a tool. */
export function soloAgent({ ran, checkpointer }: TeamOptions) {
  return createAgent({
    model: scriptedModel('solo', ran, [{ say: 'I add.', call: adds }, 'The sum is 40.']),
    tools: [addTool(ran)],
    name: 'solo',
    ...(checkpointer ? { checkpointer } : {}),
  });
}

/** A supervisor over two workers, each with a tool of its own. */
export function supervisor({ ran, checkpointer }: TeamOptions) {
  const worker = (name: string) =>
    createReactAgent({
      llm: scriptedModel(name, ran, [{ call: adds }, `${name} found 40.`]),
      tools: [addTool(ran)],
      name,
    });
  return createSupervisor({
    agents: [worker('researcher'), worker('writer')],
    llm: scriptedModel('boss', ran, [
      { call: { name: 'transfer_to_researcher' } },
      { call: { name: 'transfer_to_writer' } },
      'All done: 40.',
    ]),
    supervisorName: 'boss',
  }).compile({ ...(checkpointer ? { checkpointer } : {}) });
}

/** Two peers that hand over to each other. */
export function swarm({ ran, checkpointer }: TeamOptions) {
  const alice = createReactAgent({
    llm: scriptedModel('alice', ran, [{ call: adds }, { call: { name: 'transfer_to_bob' } }]),
    tools: [addTool(ran), createHandoffTool({ agentName: 'bob' })],
    name: 'alice',
  });
  const bob = createReactAgent({
    llm: scriptedModel('bob', ran, [{ call: adds }, 'Bob says 40.']),
    tools: [addTool(ran)],
    name: 'bob',
  });
  return createSwarm({ agents: [alice, bob], defaultActiveAgent: 'alice' }).compile({
    ...(checkpointer ? { checkpointer } : {}),
  });
}

/** Every topology that the spine promises, each built afresh per call: a scripted model is used up by one run. */
export const teams = { plainGraph, soloAgent, supervisor, swarm };

export const task = { messages: [{ role: 'user', content: 'What is 17 + 23?', id: 'task' }] };
