import type { AgentWork } from './agent-work.js';
import type { Part } from './messages.js';

/**
 * A model's stream whose words flow as they come. What follows its first tool call is held until the verdict on all it
 * says, for the SDK starts a tool as soon as it sees the call; so is the end. A halt is the stream's error: of all that
 * the SDK offers, only that rejects every promise of the result.
 */
export function held(stream: ReadableStream<Part>, work: AgentWork): ReadableStream<Part> {
  const content: Part[] = [];
  const waiting: Part[] = [];
  let hasFailed = false;
  const release = async (controller: TransformStreamDefaultController<Part>, usage?: unknown) => {
    // A broken-off answer that nobody acts on is not what the agent said: the SDK may ask again.
    if (!hasFailed || content.some(({ type }) => type === 'tool-call')) await work.afterModel(content, usage);
    for (const part of waiting.splice(0)) controller.enqueue(part);
  };
  return stream.pipeThrough(
    new TransformStream<Part, Part>({
      async transform(part, controller) {
        note(part, content);
        if (part['type'] === 'error') hasFailed = true;
        if (part['type'] === 'finish') await release(controller, part['usage']);
        if (waiting.length > 0 || part['type'] === 'tool-call') waiting.push(part);
        else controller.enqueue(part);
      },
      async flush(controller) {
        if (waiting.length > 0) await release(controller);
      },
    }),
  );
}

/** The stream that has nothing but the error. */
export function erroring(error: unknown): ReadableStream<Part> {
  return new ReadableStream({ start: (controller) => controller.error(error) });
}

function note(part: Part, content: Part[]): void {
  const { type, delta } = part;
  if (type === 'text-delta') noteText('text', delta, content);
  else if (type === 'reasoning-delta') noteText('reasoning', delta, content);
  else if (type === 'tool-call' || type === 'tool-result') content.push(part);
}

function noteText(type: string, delta: unknown, content: Part[]): void {
  const last = content.at(-1) as { type: string; text: string } | undefined;
  if (last?.type === type) last.text += delta;
  else content.push({ type, text: String(delta) });
}
