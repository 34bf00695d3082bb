import { AIMessage, type BaseMessage, HumanMessage } from '@langchain/core/messages';
import { Annotation, END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { lookUp, SearchingModel } from './searching-model.js';

/** What the bench needs of a graph; every compiled one has it. */
export interface Graph {
  invoke(input: never, config?: { recursionLimit?: number }): Promise<unknown>;
  withConfig(config: object): unknown;
}

/** A graph, and one run of it. */
export interface Subject {
  readonly label: string;
  readonly graph: Graph;
  readonly input: object;
  /** Nodes that one run walks, inner ones too. */
  readonly nodes: number;
}

const TASK = 'Which of the three suppliers delivers 40 pumps by Friday at the lowest price?';

const asked = () => ({ messages: [new HumanMessage(TASK)] });

const DRAFT =
  'Supplier S-1004 offers 40 pumps of type 40-B at 214.50 EUR each, delivered on Thursday. That is 12 EUR below the ' +
  'offer of S-1001, whose pumps come a day earlier. I would take S-1004 unless the day matters more than the price.';
const REVIEW =
  'The prices agree with the offers. The draft does not say whether the transport is included: S-1004 charges 180 EUR ' +
  'for it, S-1001 nothing. Add that to the comparison before you recommend one of them.';

/** Two nodes that answer each other, each handing back its new message only. */
export function loop(nodes: number): Subject {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('writer', async () => ({ messages: [new AIMessage(DRAFT)] }))
    .addNode('reviewer', async () => ({ messages: [new AIMessage(REVIEW)] }))
    .addEdge(START, 'writer')
    .addEdge('writer', 'reviewer')
    // The task stands before what the nodes have said.
    .addConditionalEdges('reviewer', ({ messages }) => (messages.length > nodes ? END : 'writer'))
    .compile();
  return { label: `loop of two, ${nodes} nodes`, graph, input: asked(), nodes };
}

/** An agent that asks its tool `rounds` times, then answers. */
export function toolAgent(rounds: number): Subject {
  const graph = buyer(rounds);
  return { label: 'createAgent with a tool', graph, input: asked(), nodes: 2 * rounds + 1 };
}

/** A team whose researcher is an agent that the graph around it does not know of: it is called inside a function. */
export function nestedTeam(rounds: number): Subject {
  const agent = buyer(2);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('planner', async () => ({ messages: [new AIMessage(DRAFT)] }))
    .addNode('researcher', async () => {
      const { messages } = await agent.invoke(asked());
      return { messages: messages.slice(-1) };
    })
    .addEdge(START, 'planner')
    .addEdge('planner', 'researcher')
    .addConditionalEdges('researcher', ({ messages }) => (messages.length > 2 * rounds ? END : 'planner'))
    .compile();
  return { label: 'team with a nested agent', graph, input: asked(), nodes: rounds * (2 + 5) };
}

/**
 * A loop whose own cost per node does not grow: it keeps the newest message only, where LangGraph's reducer for messages
 * would copy an ever longer list.
 */
export function boundedLoop(nodes: number): Subject {
  const State = Annotation.Root({
    messages: Annotation<BaseMessage[]>({ reducer: (_, said) => said, default: () => [] }),
    count: Annotation<number>({ reducer: (one, more) => one + more, default: () => 0 }),
  });
  const graph = new StateGraph(State)
    .addNode('writer', async () => ({ messages: [new AIMessage(DRAFT)], count: 1 }))
    .addNode('reviewer', async () => ({ messages: [new AIMessage(REVIEW)], count: 1 }))
    .addEdge(START, 'writer')
    .addEdge('writer', 'reviewer')
    .addConditionalEdges('reviewer', ({ count }) => (count >= nodes ? END : 'writer'))
    .compile();
  return { label: `run of ${nodes.toLocaleString('en')} nodes`, graph, input: asked(), nodes };
}

function buyer(rounds: number) {
  return createAgent({ name: 'buyer', model: new SearchingModel(rounds), tools: [lookUp] });
}
