import type { AgentWork } from './agent-work.js';
import { AuditHaltError } from './halt.js';
import type { Part } from './messages.js';

/**
 * A model's stream whose words flow as they come. What follows its first tool call is held until the verdict on all it
 * says, for the SDK starts a tool as soon as it sees the call; so is the end. After a halt the stream ends as one does
 * whose model has failed.
 */
export function held(stream: ReadableStream<Part>, work: AgentWork): ReadableStream<Part> {
  const reader = stream.getReader();
  const content: Part[] = [];
  const waiting: Part[] = [];
  let hasFailed = false;
  let hasEnded = false;
  /** @param end the stream's `finish`; without one it has broken off, which not every model says */
  const release = async (end?: Part): Promise<readonly Part[]> => {
    hasEnded = true;
    // A broken-off answer that nobody acts on is not what the agent said: the SDK may ask again.
    const isSaid = hasFailed ? content.some(({ type }) => type === 'tool-call') : end || content.length > 0;
    try {
      if (isSaid) await work.afterModel(content, end?.['usage']);
    } catch (error) {
      if (!AuditHaltError.isInstance(error)) throw error;
      const halted = { type: 'error', error };
      return end ? [halted, { ...end, finishReason: { unified: 'error', raw: undefined } }] : [halted];
    }
    return end ? [...waiting, end] : waiting;
  };
  // No pipe: at one chunk a word, a TransformStream takes as long as all else that is done here.
  return new ReadableStream<Part>(
    {
      async pull(controller) {
        for (;;) {
          const { done, value: part } = await reader.read();
          if (done) {
            for (const one of hasEnded ? [] : await release()) controller.enqueue(one);
            return controller.close();
          }
          note(part, content);
          if (part['type'] === 'finish') {
            for (const one of await release(part)) controller.enqueue(one);
            return;
          }
          if (part['type'] === 'error') hasFailed = true;
          if (waiting.length === 0 && part['type'] !== 'tool-call') return controller.enqueue(part);
          waiting.push(part);
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
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
