import { setTimeout as pause } from 'node:timers/promises';
import { jsonSchema, ToolLoopAgent, tool } from 'ai';
import { withAuditor } from '../../../plugins/ai-sdk/index.js';
import { type AgentStep, type Harness, type Scenario, type Step, spoken, type Watch } from '../index.js';
import {
  calls,
  isAnswered,
  says,
  scriptedLanguageModel,
  systemIn,
  taskIn,
} from './scripted-language-model.js';

/** Gets what an agent's stream shows, as a handler that writes to a response does; without one, nothing is streamed. */
type Show = (chunk: unknown) => void;
type Play = (task: string, show?: Show) => Promise<string[]>;

/** How a lane's function is called: as it is, or hooked. */
type Lane = (play: Play) => Play;

/** How each host is built anew with its lanes hooked. */
const withLanes = new WeakMap<Play, (lane: Lane) => Play>();

/**
 * Real agents, called one by one by a function as users write it. A team is led from inside its leader, while the
 * leader's model thinks. Lanes are `Promise.all` over functions, hooked as the whole is: nothing else tells the SDK's
 * calls which of them follow one another.
 */
export const aiSdkHarness: Harness<Play> = {
  plugin: {
    framework: 'ai-sdk',
    hook(play, runtime) {
      const lane: Lane = (one) => withAuditor(one, runtime);
      return withAuditor(withLanes.get(play)?.(lane) ?? play, runtime);
    },
  },
  build({ steps, unsaid }, watch) {
    const anew = (lane: Lane) => teamOf(steps, { unsaid, watch, lane });
    const play = anew((one) => one);
    withLanes.set(play, anew);
    return play;
  },
  run: (play, { task }) => play(task),
  async *stream(play, { task }) {
    const { readable, writable } = new TransformStream<unknown, unknown>(undefined, undefined, {
      highWaterMark: Number.POSITIVE_INFINITY,
    });
    const writer = writable.getWriter();
    play(task, (chunk) => void writer.write(chunk)).then(
      () => writer.close(),
      (error) => writer.abort(error),
    );
    yield* readable;
  },
};

interface Staging {
  readonly unsaid: Scenario['unsaid'];
  readonly watch: Watch;
  readonly lane: Lane;
}

function teamOf(steps: readonly Step[], staging: Staging): Play {
  const members = steps.map((step) =>
    'agent' in step
      ? memberOf(step, staging)
      : sideBySide(step.lanes.map((lane) => staging.lane(teamOf(lane, staging)))),
  );
  return async (task, show) => {
    const said: string[] = [];
    for (const member of members) said.push(...(await member(task, show)));
    return said;
  };
}

const sideBySide =
  (lanes: readonly Play[]): Play =>
  async (task, show) =>
    (await Promise.all(lanes.map((lane) => lane(task, show)))).flat();

function memberOf(step: AgentStep, staging: Staging): Play {
  const agent = agentOf(step, staging);
  const attempts = step.attempts ?? 1;
  return async (task, show) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return [await answerOf(agent, task, show)];
      } catch (error) {
        if (attempt >= attempts) throw error;
      }
    }
  };
}

async function answerOf(agent: ToolLoopAgent, prompt: string, show?: Show): Promise<string> {
  if (!show) return (await agent.generate({ prompt })).text;
  const result = await agent.stream({ prompt });
  for await (const chunk of result.stream) {
    if (chunk.type === 'error') throw chunk.error;
    const { type } = chunk;
    if (type === 'text-delta') show({ type, text: chunk.text });
    else if (type === 'tool-call') show({ type, tool: chunk.toolName, input: chunk.input });
    else if (type === 'tool-result') show({ type, tool: chunk.toolName, output: chunk.output });
    else show({ type });
  }
  return result.text;
}

function agentOf(step: AgentStep, staging: Staging): ToolLoopAgent {
  const { unsaid, watch } = staging;
  const { agent, takesMs = 0, throws, asks, leads, swallows, calls: use } = step;
  if (asks !== undefined) throw new Error('a function that asks a human waits in its own code');
  const team = leads && teamOf(leads, staging);
  let thrown = 0;
  const model = scriptedLanguageModel(async (prompt) => {
    const task = taskIn(prompt);
    await pause(takesMs);
    if (throws && thrown++ < throws.times) {
      watch.ran(agent);
      throw throws.error;
    }
    if (team && !isAnswered(prompt)) await (swallows ? team(task).catch(() => {}) : team(task));
    watch.ran(agent, systemIn(prompt));
    return use && !isAnswered(prompt) ? calls(use.tool, use.args, `${agent}-call`) : says(spoken(step, task));
  });
  const work = tool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    async execute() {
      watch.ran(use?.tool ?? '');
      if (use?.fails) throw new Error(use.answers);
      return use?.answers;
    },
  });
  return new ToolLoopAgent({
    id: agent,
    model,
    telemetry: { functionId: agent },
    ...(use ? { tools: { [use.tool]: work } } : {}),
    ...(unsaid === undefined ? {} : { instructions: unsaid }),
    onError: () => {},
  }) as ToolLoopAgent;
}
