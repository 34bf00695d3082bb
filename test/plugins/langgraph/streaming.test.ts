import { MemorySaver, type StreamMode } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { blaming, watching } from '../../support/graphs.js';
import { type plainGraph, task, teams } from '../../support/langgraph-teams.js';
import { decoded, drained, normalised } from '../../support/normalised.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

type Team = keyof typeof teams;

const config = { configurable: { thread_id: '1' }, subgraphs: true };
const ALL_MODES: StreamMode[] = [
  'values',
  'updates',
  'messages',
  'custom',
  'debug',
  'tasks',
  'checkpoints',
  'tools',
];

/** The teams differ in what their state holds, not in how they are called. */
function build(team: Team, ran: string[] = []) {
  return teams[team]({ ran, checkpointer: new MemorySaver() }) as unknown as ReturnType<typeof plainGraph>;
}

/** Whose first turn is blamed: somebody inside, where there is an inside. */
const blamed: Record<Team, string> = {
  plainGraph: 'solve',
  soloAgent: 'solo',
  supervisor: 'researcher',
  swarm: 'bob',
};

function halting(team: Team, ran: string[] = []) {
  return withAuditor(build(team, ran), createRuntime({ auditor: blaming(blamed[team]) }));
}

/** What a reader got, and what ended it. */
async function readToTheEnd(stream: Promise<AsyncIterable<unknown>> | AsyncIterable<unknown>) {
  const chunks: unknown[] = [];
  try {
    for await (const chunk of await stream) chunks.push(chunk);
    return { chunks, error: undefined };
  } catch (error) {
    return { chunks, error };
  }
}

describe.each(Object.keys(teams) as Team[])('%s', (team) => {
  test('all stream modes at once: the chunks equal the bare graph’s', async () => {
    const options = { ...config, streamMode: ALL_MODES };
    const bare = await drained(build(team).stream(task, options));
    const hooked = await drained(withAuditor(build(team), watching().runtime).stream(task, options));
    expect(normalised(hooked)).toEqual(normalised(bare));
  });

  test('as server-sent events, byte for byte', async () => {
    const options = { ...config, streamMode: 'updates', encoding: 'text/event-stream' } as const;
    const bare = decoded(await drained(build(team).stream(task, options)));
    const hooked = decoded(await drained(withAuditor(build(team), watching().runtime).stream(task, options)));
    expect(normalised(hooked)).toEqual(normalised(bare));
    expect(bare).toContain('event: updates');
  });

  test.each([...ALL_MODES, ALL_MODES])(
    'stream mode %s: the halt reaches the reader as itself, after what led to it',
    async (streamMode) => {
      const options = { ...config, streamMode };
      const ran: string[] = [];
      const { chunks, error } = await readToTheEnd(halting(team, ran).stream(task, options));
      expect(error).toBeInstanceOf(AuditHalt);
      expect((error as AuditHalt).alarm?.agent).toBe(blamed[team]);
      const whole = await drained(build(team).stream(task, options));
      const shown = normalised(whole.slice(0, chunks.length));
      // `tasks` and `debug` tell how a task ended, and the blocked one ended in the halt.
      if (streamMode === 'values' || streamMode === 'updates' || streamMode === 'messages') {
        expect(normalised(chunks)).toEqual(shown);
      }
      expect(chunks.length).toBeLessThan(whole.length + 1);
    },
  );

  test('as server-sent events the halt is the last event', async () => {
    const options = { ...config, streamMode: 'updates', encoding: 'text/event-stream' } as const;
    const text = decoded(await drained(halting(team).stream(task, options)));
    const last = text.trimEnd().split('\n\n').at(-1);
    expect(last).toMatch(/^event: error\ndata: \{"error":"GraphDrained","message":"audit alarm at step \d+ /);
  });
});

test('what a node says is streamed before it is judged: the reader has seen the step that raised the alarm', async () => {
  const { chunks } = await readToTheEnd(halting('plainGraph').stream(task, { streamMode: 'updates' }));
  expect(chunks.map((chunk) => Object.keys(chunk as object))).toEqual([['plan'], ['solve']]);
});
