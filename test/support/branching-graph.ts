import { AIMessage } from '@langchain/core/messages';
import { tool } from '@langchain/core/tools';
import {
  Annotation,
  END,
  entrypoint,
  task as functionalTask,
  MessagesAnnotation,
  Send,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { z } from 'zod';
import type { Lanes, Task } from './branching-run.js';
import { input, pause } from './graphs.js';

/** How long each piece of work takes, in milliseconds; asked once for each. */
export type Delays = () => number;

const State = Annotation.Root({ ...MessagesAnnotation.spec, lane: Annotation<string> });

interface Runs {
  invoke(state: unknown): Promise<unknown>;
}

/** Node names are data here, which the builder's types cannot follow. */
interface Builder {
  addNode(name: string, work: unknown): unknown;
  addEdge(from: string | string[], to: string): unknown;
  addConditionalEdges(from: string, route: () => unknown, to: string[]): unknown;
  compile(): Runs & { withConfig(config: object): Runs };
}

/** Adds one step of side-by-side lanes to a graph. @returns the nodes after which the step is over */
type AddLanes = (builder: Builder, name: string, after: string[], lanes: Lanes, build: Build) => string[];

type Build = (task: Task) => Runs;

const names = (lanes: Lanes) => Object.keys(lanes);

function join(builder: Builder, from: string[], to: string): void {
  builder.addEdge(from.length === 1 ? (from[0] as string) : from, to);
}

/** The ways in which LangGraph runs things side by side. */
export const sideBySide: Record<string, AddLanes> = {
  'sub-graphs as nodes': (builder, name, after, lanes, build) =>
    names(lanes).map((lane) => {
      builder.addNode(`${name}-${lane}`, build(lanes[lane] as Task));
      join(builder, after, `${name}-${lane}`);
      return `${name}-${lane}`;
    }),

  'sub-graphs in nodes': (builder, name, after, lanes, build) =>
    names(lanes).map((lane) => {
      builder.addNode(`${name}-${lane}`, async () => {
        await build(lanes[lane] as Task).invoke(input);
        return { messages: [new AIMessage(`lane ${lane} is done`)] };
      });
      join(builder, after, `${name}-${lane}`);
      return `${name}-${lane}`;
    }),

  'workers sent to': (builder, name, after, lanes, build) => {
    builder.addNode(`${name}-plan`, async () => ({}));
    join(builder, after, `${name}-plan`);
    builder.addNode(`${name}-worker`, async ({ lane }: { lane: string }) => {
      await build(lanes[lane] as Task).invoke(input);
      return { messages: [new AIMessage(`worker ${lane} is done`)] };
    });
    const sends = () => names(lanes).map((lane) => new Send(`${name}-worker`, { lane }));
    builder.addConditionalEdges(`${name}-plan`, sends, [`${name}-worker`]);
    return [`${name}-worker`];
  },

  'parallel tools': (builder, name, after, lanes, build) => {
    const work = tool(
      async ({ lane }) => {
        await build(lanes[lane] as Task).invoke(input);
        return `tool ${lane} is done`;
      },
      { name: 'work', description: 'Works', schema: z.object({ lane: z.string() }) },
    );
    const tool_calls = names(lanes).map((lane) => ({ id: `${name}-${lane}`, name: 'work', args: { lane } }));
    builder.addNode(`${name}-calls`, async () => ({
      messages: [new AIMessage({ content: '', tool_calls })],
    }));
    join(builder, after, `${name}-calls`);
    builder.addNode(`${name}-tools`, new ToolNode([work]));
    builder.addEdge(`${name}-calls`, `${name}-tools`);
    return [`${name}-tools`];
  },

  'graphs called at once': (builder, name, after, lanes, build) => {
    builder.addNode(name, async () => {
      await Promise.all(names(lanes).map((lane) => build(lanes[lane] as Task).invoke(input)));
      return { messages: [new AIMessage('all lanes are done')] };
    });
    join(builder, after, name);
    return [name];
  },
};

/** Chosen by what the lanes hold, so that it is the same in every run. */
export const mixed: AddLanes = (builder, name, after, lanes, build) => {
  const ways = Object.values(sideBySide);
  const way = ways[JSON.stringify(lanes).length % ways.length] as AddLanes;
  return way(builder, name, after, lanes, build);
};

/** A graph that does what a task says, and at last says `end`. */
export function branchingGraph(task: Task, addLanes: AddLanes, delays: Delays) {
  const build = (part: Task): ReturnType<Builder['compile']> => {
    const builder = new StateGraph(State) as unknown as Builder;
    let last = [START as string];
    for (const [step, item] of part.entries()) {
      const name = `s${step}`;
      if (typeof item !== 'string') {
        last = addLanes(builder, name, last, item, build);
        continue;
      }
      builder.addNode(name, async () => {
        await pause(delays());
        return { messages: [new AIMessage(item)] };
      });
      join(builder, last, name);
      last = [name];
    }
    if (part.length === 0) {
      builder.addNode('nothing', async () => ({}));
      join(builder, last, 'nothing');
      last = ['nothing'];
    }
    for (const name of last) builder.addEdge(name, END);
    return builder.compile();
  };
  return build([...task, 'end']);
}

/** The same with the functional API: a task for each word and for each lane. */
export function branchingFlow(task: Task, delays: Delays) {
  const say = functionalTask('say', async (word: string) => {
    await pause(delays());
    return word;
  });
  const walk = async (part: Task): Promise<string> => {
    for (const item of part) {
      if (typeof item === 'string') await say(item);
      else await Promise.all(names(item).map((lane) => work([lane, item[lane] as Task])));
    }
    return 'done';
  };
  const work = functionalTask('work', async ([lane, part]: [string, Task]): Promise<string> => {
    await walk(part);
    return `lane ${lane} is done`;
  });
  return entrypoint('flow', async (_: unknown) => {
    await walk([...task, 'end']);
    return 'flow is done';
  });
}
