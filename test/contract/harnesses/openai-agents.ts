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
import { openaiAgentsPlugin } from '../../../plugins/openai-agents/index.js';
import { type AgentStep, type Harness, type Scenario, type Step, spoken, type Watch } from '../index.js';

type Host = (task: string, show?: (event: unknown) => void) => Promise<unknown>;

/**
 * A function that runs real agents one by one; a team is run from inside the instructions of the agent that leads it, and
 * a lane from inside its last agent's, so that it is one run among those side by side.
 */
export const openaiAgentsHarness: Harness<Host> = {
  plugin: openaiAgentsPlugin as unknown as Harness<Host>['plugin'],
  build(scenario, watch) {
    const thrown: Thrown = new Map();
    return (task, show) => new Play(scenario, watch, thrown, task, show).row(scenario.steps);
  },
  run: (host, { task }) => host(task),
  async *stream(host, { task }) {
    const shown: unknown[] = [];
    await host(task, (event) => shown.push(event));
    yield* shown;
  },
};

/** How often each agent of a host has thrown: the first so many times are over all of its runs. */
type Thrown = Map<AgentStep, number>;

class Play {
  readonly #scenario: Scenario;
  readonly #watch: Watch;
  readonly #thrown: Thrown;
  readonly #task: string;
  readonly #show: ((event: unknown) => void) | undefined;
  readonly #runner = new Runner({ tracingDisabled: true });

  constructor(
    scenario: Scenario,
    watch: Watch,
    thrown: Thrown,
    task: string,
    show?: (event: unknown) => void,
  ) {
    this.#scenario = scenario;
    this.#watch = watch;
    this.#thrown = thrown;
    this.#task = task;
    this.#show = show;
  }

  async row(steps: readonly Step[]): Promise<unknown[]> {
    const said: unknown[] = [];
    for (const step of steps) {
      if ('agent' in step) said.push(await this.#tried(step));
      else said.push(...(await this.#sideBySide(step.lanes)));
    }
    return said;
  }

  /** What lanes stream is shown lane by lane: which is quicker is no part of what a host does. */
  async #sideBySide(lanes: readonly (readonly AgentStep[])[]): Promise<unknown[]> {
    const shown = lanes.map((): unknown[] => []);
    try {
      return await Promise.all(lanes.map((lane, at) => this.#showing(shown[at] ?? []).#lane(lane)));
    } finally {
      if (this.#show) shown.flat().forEach(this.#show);
    }
  }

  #showing(events: unknown[]): Play {
    const show = this.#show && ((event: unknown) => void events.push(event));
    return new Play(this.#scenario, this.#watch, this.#thrown, this.#task, show);
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
      const count = this.#thrown.get(step) ?? 0;
      if (throws && count < throws.times) {
        this.#thrown.set(step, count + 1);
        this.#watch.ran(name);
        throw throws.error;
      }
      if (leads) {
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
          {
            ...tool({
              name: calls.tool,
              description: 'Does it',
              parameters: { type: 'object', properties: {}, required: [], additionalProperties: true },
              strict: false,
              errorFunction: (_context, error) =>
                `An error occurred while running the tool. Please try again. Error: ${(error as Error).message}`,
              execute: work,
            }),
            name: calls.tool,
          }, // tool() would rename a look-up
        ]
      : [];
    return new Agent({ name, instructions, model, tools });
  }
}

type Output = Extract<StreamEvent, { type: 'response_done' }>['response']['output'];

/** Says by the request alone what it says, whole or streamed. */
export class LineModel {
  readonly #reply: (request: ModelRequest) => Output;

  constructor(reply: (request: ModelRequest) => Output) {
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
