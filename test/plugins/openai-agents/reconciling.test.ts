import { Agent, type StreamEvent } from '@openai/agents';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, strict, watched } from './audited.js';
import { ReplyingModel, says } from './replying-model.js';

/** Streams a call whose answer never comes, for its caller aborts. */
class Interrupted extends ReplyingModel {
  readonly #abort: () => void;

  constructor(abort: () => void) {
    super(() => says('so be it'));
    this.#abort = abort;
  }

  override async *getStreamedResponse(): AsyncIterable<StreamEvent> {
    const item = { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{}' };
    yield { type: 'model', event: { type: 'response.output_item.done', item } } as StreamEvent;
    this.#abort();
    throw new DOMException('left', 'AbortError');
  }
}

test('after an abort, the provider that keeps the conversation is told that its calls are void, as by the bare SDK', async () => {
  const asked: number[] = [];
  const { runtime, told, outcomes } = watched({ auditor: strict() });
  for (const runner of [bareRunner(), withAuditor(bareRunner(), runtime)]) {
    const controller = new AbortController();
    const model = new Interrupted(() => controller.abort());
    const options = { stream: true, conversationId: 'conv_1', signal: controller.signal } as const;
    const stream = await runner.run(new Agent({ name: 'boss', model }), 'go', options);
    await stream.completed.catch(() => {});
    asked.push(model.asked);
  }
  expect(asked).toEqual([1, 1]);
  expect(told()).toEqual(['user, user: go']);
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});
