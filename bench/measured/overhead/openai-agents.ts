import {
  Agent,
  type Model,
  type ModelRequest,
  type ModelResponse,
  Runner,
  type StreamEvent,
  tool,
  Usage,
} from '@openai/agents';
import { z } from 'zod';
import { ANSWER, ASIDE, type Hook, offerOf, requireSteps, type Subject, TASK } from './subject.js';

const options = { maxTurns: 200 };

export function subjects(hook: Hook): Readonly<Record<string, Subject>> {
  const runner = hook(new Runner({ tracingDisabled: true }));
  const agent = buyer(99);
  const team = leader(10);
  return {
    run: {
      label: 'run',
      steps: 100,
      run: async () => requireSteps((await runner.run(agent, TASK, options)).rawResponses.length, 100),
    },
    stream: {
      label: 'run, streamed',
      steps: 100,
      run: async () => {
        const stream = await runner.run(agent, TASK, { ...options, stream: true });
        for await (const _ of stream);
        await stream.completed;
        requireSteps(stream.rawResponses.length, 100);
      },
    },
    team: {
      label: 'an agent as a tool',
      steps: 11 + 10 * 4,
      run: async () => requireSteps((await runner.run(team, TASK, options)).rawResponses.length, 11),
    },
  };
}

const lookUp = tool({
  name: 'get_offer',
  description: 'Asks a supplier for an offer',
  parameters: z.object({ supplier: z.string(), quantity: z.number() }),
  execute: async ({ supplier }) => offerOf(supplier),
});

function buyer(calls: number) {
  const model = new CallingModel('get_offer', calls, { supplier: 'S-1004', quantity: 40 });
  return new Agent({ name: 'buyer', instructions: 'You buy.', model, tools: [lookUp] });
}

function leader(calls: number) {
  const inner = buyer(3).asTool({ toolName: 'ask_buyer', toolDescription: 'Asks the buyer' });
  const model = new CallingModel('ask_buyer', calls, { input: TASK });
  return new Agent({ name: 'leader', instructions: 'You lead.', model, tools: [inner] });
}

let ids = 0;

/** Stands in for a model: calls its tool `calls` times, then answers. It keeps nothing, so that it serves any number of runs. */
export class CallingModel implements Model {
  readonly #tool: string;
  readonly #calls: number;
  readonly #args: string;

  constructor(toolName: string, calls: number, args: object) {
    this.#tool = toolName;
    this.#calls = calls;
    this.#args = JSON.stringify(args);
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    return { output: this.#reply(request), usage: new Usage() };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    yield { type: 'response_started' };
    for (const word of ASIDE.split(' ')) yield { type: 'output_text_delta', delta: `${word} ` };
    const usage = { inputTokens: 0, outputTokens: 0, totalTokens: 0 };
    yield {
      type: 'response_done',
      response: { id: 'response', usage, output: this.#reply(request) as never },
    };
  }

  #reply({ input }: ModelRequest): ModelResponse['output'] {
    const answers =
      typeof input === 'string' ? [] : input.filter(({ type }) => type === 'function_call_result');
    const says = (text: string): ModelResponse['output'][number] => ({
      type: 'message',
      role: 'assistant',
      status: 'completed',
      content: [{ type: 'output_text', text }],
    });
    if (answers.length >= this.#calls) return [says(ANSWER)];
    const call = {
      type: 'function_call',
      callId: `call_${ids++}`,
      name: this.#tool,
      status: 'completed',
    } as const;
    return [says(ASIDE), { ...call, arguments: this.#args }];
  }
}
