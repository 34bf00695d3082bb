import { type Model, type ModelRequest, type ModelResponse, type StreamEvent, Usage } from '@openai/agents';

/** What a streamed model may say, a whole one may say too. */
export type Output = Extract<StreamEvent, { type: 'response_done' }>['response']['output'];
export type Reply = (request: ModelRequest, asked: number) => Output | Promise<Output>;

/** Says by the request alone what it says, whole or streamed, and counts how often it was asked. */
export class ReplyingModel implements Model {
  asked = 0;
  readonly #reply: Reply;

  constructor(reply: Reply) {
    this.#reply = reply;
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const output = await this.#reply(request, this.asked++);
    return { output, usage: new Usage({ inputTokens: 11, outputTokens: 7, totalTokens: 18, requests: 1 }) };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncIterable<StreamEvent> {
    const output = await this.#reply(request, this.asked++);
    yield { type: 'response_started' };
    for (const item of output) {
      const [part] = item.type === 'message' && Array.isArray(item.content) ? item.content : [];
      if (part?.type === 'output_text') yield { type: 'output_text_delta', delta: part.text };
    }
    const usage = { inputTokens: 11, outputTokens: 7, totalTokens: 18 };
    yield { type: 'response_done', response: { id: `response-${this.asked}`, usage, output } };
  }
}

export const says = (text: string): Output => [
  { type: 'message', role: 'assistant', status: 'completed', content: [{ type: 'output_text', text }] },
];

export const thinks = (text: string): Output => [
  { type: 'reasoning', content: [], rawContent: [{ type: 'reasoning_text', text }] },
];

export const calls = (name: string, args: object = {}, callId = `${name}-call`): Output => [
  { type: 'function_call', callId, name, status: 'completed', arguments: JSON.stringify(args) },
];
