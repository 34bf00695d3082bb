import { AIMessage } from '@langchain/core/messages';
import { fakeModel } from '@langchain/core/testing';
import { END, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { ToolNode, toolsCondition } from '@langchain/langgraph/prebuilt';
import { calculator } from './calculator.js';

export const TASK = 'A crate holds 17 boxes of 23 cups. 40 cups break. How many are left?';

/** What the team did outside its own messages. */
export interface Deeds {
  calculations: number;
  /** Whether the verifier got to speak. */
  verified: boolean;
}

/**
 * Planner, solver with a calculator, verifier: an ordinary LangGraph graph that knows nothing of auditing. The models
 * are scripted; the graph, the tool and its results are real.
 * @param misreads whether the solver misreads the calculator's 351 as 341
 */
export function cupTeam(misreads: boolean, deeds: Deeds) {
  const planner = fakeModel().respond(
    new AIMessage('Multiply the boxes by the cups in each, then subtract the broken ones.'),
  );
  const solver = fakeModel()
    .respond(calls('call-1', 'First, all the cups.', { operation: 'multiply', a: 17, b: 23 }))
    .respond(calls('call-2', 'Now without the broken ones.', { operation: 'subtract', a: 391, b: 40 }))
    .respond(new AIMessage(`So ${misreads ? 341 : 351} cups are left.`));
  const verifier = fakeModel().respond(() => {
    deeds.verified = true;
    return new AIMessage('Plan and figures agree. The answer is final.');
  });
  const speak =
    (name: string, model: ReturnType<typeof fakeModel>) => async (state: typeof MessagesAnnotation.State) => {
      const message = await model.invoke(state.messages);
      message.name = name;
      return { messages: [message] };
    };
  return new StateGraph(MessagesAnnotation)
    .addNode('planner', speak('planner', planner))
    .addNode('solver', speak('solver', solver))
    .addNode('calculator', new ToolNode([calculator(() => deeds.calculations++)]))
    .addNode('verifier', speak('verifier', verifier))
    .addEdge(START, 'planner')
    .addEdge('planner', 'solver')
    .addConditionalEdges('solver', toolsCondition, { tools: 'calculator', [END]: 'verifier' })
    .addEdge('calculator', 'solver')
    .addEdge('verifier', END)
    .compile();
}

function calls(id: string, content: string, args: Record<string, unknown>): AIMessage {
  return new AIMessage({ content, tool_calls: [{ id, name: 'calculator', args }] });
}
