import { setTimeout as pause } from 'node:timers/promises';
import type { RunStreamEvent } from '@openai/agents';
import { beforeEach, expect, test, vi } from 'vitest';
import { AuditorTripwireTriggered, withAuditor } from '../../../plugins/openai-agents/index.js';
import { bareRunner, errorOf, isAnswered, noting, replying, strict, watched } from './audited.js';
import { calls, type ReplyingModel, says } from './replying-model.js';

// The SDK prints a word when the output of an unfinished run is read.
beforeEach(() => void vi.spyOn(console, 'warn').mockImplementation(() => {}));

const looking = () =>
  replying('boss', (request) => (isAnswered(request) ? says('all done') : calls('look')), {
    tools: [noting([], 'look')],
  });

test('a stream’s events are those of the bare runner', async () => {
  const { runtime } = watched();
  const eventsOf = async (runner: ReturnType<typeof bareRunner>) => {
    const stream = await runner.run(looking(), 'go', { stream: true });
    const events: RunStreamEvent[] = [];
    for await (const event of stream) events.push(event);
    const types = events.map((event) => ('name' in event ? event.name : event.type));
    return { types, output: stream.finalOutput, turn: stream.currentTurn, last: stream.lastResponseId };
  };
  const bare = await eventsOf(bareRunner());
  expect(await eventsOf(withAuditor(bareRunner(), runtime))).toEqual(bare);
  expect(bare.output).toBe('all done');
});

test('a halted stream rejects its iteration and `completed`, and keeps the blocked answer to itself', async () => {
  const { runtime } = watched({ auditor: strict() });
  const agent = replying('boss', 'the wrong answer');
  const stream = await withAuditor(bareRunner(), runtime).run(agent, 'go', { stream: true });
  const iterated = await errorOf(
    (async () => {
      for await (const _ of stream);
    })(),
  );
  expect(iterated).toBeInstanceOf(AuditorTripwireTriggered);
  expect(await errorOf(stream.completed)).toBe(iterated);
  expect(stream.error).toBe(iterated);
  expect(stream.finalOutput).toBeUndefined();
});

test('when the very last verdict, on a tool’s result, is an alarm, the answer that it is stays blocked', async () => {
  const { runtime } = watched({ auditor: strict() });
  const agent = replying('boss', () => calls('look'), {
    tools: [noting([], 'look', () => 'wrong')],
    toolUseBehavior: 'stop_on_first_tool',
  });
  const stream = await withAuditor(bareRunner(), runtime).run(agent, 'go', { stream: true });
  expect(await errorOf(stream.completed)).toBeInstanceOf(AuditorTripwireTriggered);
  expect(stream.finalOutput).toBeUndefined();
});

test('a text stream that is halted fails', async () => {
  const { runtime } = watched({ auditor: strict() });
  const stream = await withAuditor(bareRunner(), runtime).run(replying('boss', 'wrong'), 'go', {
    stream: true,
  });
  const text = stream.toTextStream();
  const read = (async () => {
    for await (const _ of text as unknown as AsyncIterable<string>);
  })();
  expect(await errorOf(read)).toBeInstanceOf(AuditorTripwireTriggered);
  await stream.completed.catch(() => {});
});

test('`completed` of a stream that is never read comes after the last verdict', async () => {
  const verdicts: string[] = [];
  const { runtime, outcomes } = watched({
    auditor: strict(async () => {
      await pause(20);
      verdicts.push('given');
    }),
  });
  const stream = await withAuditor(bareRunner(), runtime).run(replying('boss', 'done'), 'go', {
    stream: true,
  });
  await stream.completed;
  expect([verdicts, outcomes()]).toEqual([['given'], ['completed']]);
  expect(stream.finalOutput).toBe('done');
});

test('who leaves a stream early gets no error, and the run is over', async () => {
  const { runtime, outcomes } = watched();
  const stream = await withAuditor(bareRunner(), runtime).run(looking(), 'go', { stream: true });
  for await (const _ of stream) break;
  await stream.completed;
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});

test('a streamed agent in a tool is part of the run, and its alarm halts the outermost stream', async () => {
  const { runtime, told } = watched({ auditor: strict() });
  const heard: string[] = [];
  const inner = replying('clerk', 'wrong');
  const boss = replying(
    'boss',
    (request) => (isAnswered(request) ? says('goes on') : calls('ask', { input: '?' })),
    {
      tools: [
        inner.asTool({
          toolName: 'ask',
          toolDescription: 'asks',
          onStream: ({ event }) => void heard.push(event.type),
        }),
      ],
    },
  );
  const stream = await withAuditor(bareRunner(), runtime).run(boss, 'go', { stream: true });
  expect(await errorOf(stream.completed)).toMatchObject({ result: { step: 2, agent: 'clerk' } });
  expect(heard).not.toEqual([]);
  expect(told().at(-1)).toBe('clerk, agent: wrong');
  expect((boss.model as ReplyingModel).asked).toBe(1);
});

test('a stream that is aborted ends as the SDK ends it: in silence; the log says so', async () => {
  const { runtime, outcomes } = watched();
  const stop = new AbortController();
  const agent = replying(
    'boss',
    async (request) => {
      if (isAnswered(request)) {
        stop.abort();
        await pause(20);
      }
      return isAnswered(request) ? says('never') : calls('look');
    },
    { tools: [noting([], 'look')] },
  );
  const stream = await withAuditor(bareRunner(), runtime).run(agent, 'go', {
    stream: true,
    signal: stop.signal,
  });
  for await (const _ of stream);
  await stream.completed;
  expect(stream.finalOutput).toBeUndefined();
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});

test.each([false, true])('who aborts waits for no verdict (stream: %s)', async (stream) => {
  const { runtime, outcomes } = watched({ auditor: strict(() => pause(400)) });
  const stop = new AbortController();
  const runner = withAuditor(bareRunner(), runtime);
  const began = performance.now();
  if (stream) {
    setTimeout(() => stop.abort(), 30);
    const result = await runner.run(looking(), 'go', { stream, signal: stop.signal });
    await result.completed;
    expect(result.finalOutput).toBeUndefined();
  } else {
    const reason = new Error('enough');
    setTimeout(() => stop.abort(reason), 30);
    expect(await errorOf(runner.run(looking(), 'go', { signal: stop.signal }))).toBe(reason);
  }
  expect(performance.now() - began).toBeLessThan(300);
  await vi.waitFor(() => expect(outcomes()).toEqual(['aborted']));
});
