import { setTimeout as pause } from 'node:timers/promises';
import {
  Agent,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type StreamEvent,
  tool,
  Usage,
} from '@openai/agents';
import { z } from 'zod';
import { type FunctionHost, openaiAgentsPlugin } from '../../../plugins/openai-agents/index.js';
import { type AgentStep, type Harness, type Scenario, type Step, spoken, type Watch } from '../index.js';

type Host = (task: string, show?: (event: unknown) => void) => Promise<unknown>;

/**
 * A function that runs real agents one by one; a team is run from inside the instructions of the agent that leads it, and
 * a lane from inside its last agent's, so that it is one run among those side by side.
 */
export const openaiAgentsHarness: Harness<Host> = {
  plugin: openaiAgentsPlugin as unknown as Harness<Host>['plugin'],
  build(scenario, watch) {
    const players = new Map<AgentStep, Agent>();
    return (task, show) => new Play(scenario, watch, players, task, show).row(scenario.steps);
  },
  run: (host, { task }) => host(task),
  async *stream(host, { task }) {
    const shown: unknown[] = [];
    await host(task, (event) => shown.push(event));
    yield* shown;
  },
};

export const asHost = (host: Host): FunctionHost => host as FunctionHost;

const thrown = new WeakMap<object, number>();

class Play {
  readonly #scenario: Scenario;
  readonly #watch: Watch;
  readonly #players: Map<AgentStep, Agent>;
  readonly #task: string;
  readonly #show: ((event: unknown) => void) | undefined;
  readonly #runner = new Runner({ tracingDisabled: true });

  constructor(
    scenario: Scenario,
    watch: Watch,
    players: Map<AgentStep, Agent>,
    task: string,
    show?: (event: unknown) => void,
  ) {
    this.#scenario = scenario;
    this.#watch = watch;
    this.#players = players;
    this.#task = task;
    this.#show = show;
  }

  async row(steps: readonly Step[]): Promise<unknown[]> {
    const said: unknown[] = [];
    for (const step of steps) {
      if ('agent' in step) said.push(await this.#tried(step));
      else said.push(...(await Promise.all(step.lanes.map((lane) => this.#lane(lane)))));
    }
    return said;
  }

  #lane(lane: readonly AgentStep[]): Promise<unknown> {
    const last = lane.at(-1) as AgentStep;
    return this.#tried(last, lane.slice(0, -1));
  }

  async #tried(step: AgentStep, before: readonly AgentStep[] = []): Promise<unknown> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.#played(step, before);
      } catch (error) {
        if (attempt >= (step.attempts ?? 1)) throw error;
      }
    }
  }

  async #played(step: AgentStep, before: readonly AgentStep[]): Promise<unknown> {
    const agent = this.#agent(step, before);
    if (!this.#show) return (await this.#runner.run(agent, this.#task)).finalOutput;
    const stream = await this.#runner.run(agent, this.#task, { stream: true });
    for await (const event of stream) this.#show(event);
    await stream.completed;
    return stream.finalOutput;
  }

  #agent(step: AgentStep, before: readonly AgentStep[]): Agent {
    const { agent: name, takesMs = 0, throws, asks, leads, swallows, calls } = step;
    const { unsaid } = this.#scenario;
    if (asks !== undefined) throw new Error('a function that asks a human waits in its own code');
    const instructions = async () => {
      if (before.length > 0) await this.row(before);
      await pause(takesMs);
      const count = thrown.get(step) ?? 0;
      if (throws && count < throws.times) {
        thrown.set(step, count + 1);
        this.#watch.ran(name);
        throw throws.error;
      }
      if (leads && !this.#players.has(step)) {
        const team = this.row(leads);
        await (swallows ? team.catch(() => {}) : team);
      }
      return unsaid ?? 'Speak your line.';
    };
    const model = new LineModel((request) => {
      this.#watch.ran(name, unsaid && request.systemInstructions);
      const answered =
        Array.isArray(request.input) && request.input.some(({ type }) => type === 'function_call_result');
      if (calls && !answered) {
        const call = {
          type: 'function_call',
          callId: `${name}-call`,
          name: calls.tool,
          status: 'completed',
        } as const;
        return [{ ...call, arguments: JSON.stringify(calls.args) }];
      }
      const text = spoken(step, this.#task);
      return [
        { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
      ];
    });
    const work = async () => {
      this.#watch.ran(calls?.tool ?? '');
      if (calls?.fails) throw new Error(calls.answers);
      return calls?.answers ?? '';
    };
    const tools = calls
      ? [
          tool({
            name: calls.tool.replaceAll('-', '_') === calls.tool ? calls.tool : calls.tool,
            description: 'Does it',
            parameters: z.looseObject({}),
            strict: false as never,
            errorFunction: (_context, error) =>
              `An error occurred while running the tool. Please try again. Error: ${(error as Error).message}`,
            execute: work,
          } as never),
        ]
      : [];
    return new Agent({ name, instructions, model, tools });
  }
}

/** Says by the request alone what it says, whole or streamed. */
export class LineModel {
  readonly #reply: (request: ModelRequest) => ModelResponse['output'];

  constructor(reply: (request: ModelRequest) => ModelResponse['output']) {
    this.#reply = reply;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    return { output: this.#reply(request), usage: new Usage() };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    yield { type: 'response_started' };
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield { type: 'response_done', response: { id: 'response', usage, output: this.#reply(request) } };
  }
}
