import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime } from '../../../core/index.js';
import { type LangGraphHost, withAuditor } from '../../../plugins/langgraph/index.js';
import { blaming, inARow, input, watching } from '../../support/graphs.js';
import { type plainGraph, task, teams } from '../../support/langgraph-teams.js';
import { decoded, drained, normalised } from '../../support/normalised.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

type Team = keyof typeof teams;

const config = { configurable: { thread_id: '1' } };

/** The teams differ in what their state holds, not in how they are called. */
function build(team: Team) {
  return teams[team]({ ran: [], checkpointer: new MemorySaver() }) as unknown as ReturnType<
    typeof plainGraph
  >;
}

const approved = <Host extends LangGraphHost>(graph: Host) => withAuditor(graph, watching().runtime);

const blamed: Record<Team, string> = {
  plainGraph: 'solve',
  soloAgent: 'solo',
  supervisor: 'researcher',
  swarm: 'bob',
};

const halting = (team: Team) => withAuditor(build(team), createRuntime({ auditor: blaming(blamed[team]) }));

function halts(reading: Promise<unknown>) {
  return expect(reading).rejects.toSatisfy(
    (error) => error instanceof AuditHalt && error.alarm !== undefined,
  );
}

describe.each(Object.keys(teams) as Team[])('%s', (team) => {
  test.each(['v1', 'v2'] as const)('streamEvents %s: the events equal the bare graph’s', async (version) => {
    const bare = await drained(build(team).streamEvents(task, { ...config, version }));
    const hooked = await drained(approved(build(team)).streamEvents(task, { ...config, version }));
    expect(normalised(hooked)).toEqual(normalised(bare));
  });

  test.each(['v1', 'v2'] as const)('streamEvents %s: the halt reaches the reader', async (version) => {
    await halts(drained(halting(team).streamEvents(task, { ...config, version })));
  });

  test.each(['v1', 'v2'] as const)('streamEvents %s as server-sent events', async (version) => {
    const options = { ...config, version, encoding: 'text/event-stream' } as const;
    const bare = decoded(await drained(build(team).streamEvents(task, options)));
    const hooked = decoded(await drained(approved(build(team)).streamEvents(task, options)));
    expect(normalised(hooked)).toEqual(normalised(bare));
    expect(bare).toContain('on_chain_start');
  });

  describe('streamEvents v3', () => {
    const options = { ...config, version: 'v3' } as const;

    test('the events, and the output, equal the bare graph’s', async () => {
      const bare = await build(team).streamEvents(task, options);
      const hooked = await approved(build(team)).streamEvents(task, options);
      expect(normalised(await drained(hooked))).toEqual(normalised(await drained(bare)));
      expect(normalised(await hooked.output)).toEqual(normalised(await bare.output));
    });

    test('the halt reaches whoever reads the events, the messages, the values or the output', async () => {
      await halts(drained(halting(team).streamEvents(task, options)));
      const run = await halting(team).streamEvents(task, options);
      await halts(drained(run.messages));
      await halts(drained(run.values));
      await halts(run.output);
      expect(run.interrupted).toBe(false);
    });

    test('its life ends as failed, with the alarm’s reason', async () => {
      const run = await halting(team).streamEvents(task, options);
      const events: unknown[] = [];
      await halts(
        (async () => {
          for await (const event of run) events.push(event);
        })(),
      );
      expect(events.at(-1)).toMatchObject({
        method: 'lifecycle',
        params: { data: { event: 'failed', error: expect.stringContaining('this step is wrong') } },
      });
    });

    test('as server-sent events', async () => {
      const encoded = { ...options, encoding: 'text/event-stream' } as const;
      const bare = decoded(await drained(build(team).streamEvents(task, encoded)));
      const hooked = decoded(await drained(approved(build(team)).streamEvents(task, encoded)));
      expect(normalised(hooked)).toEqual(normalised(bare));
      const halted = decoded(await drained(halting(team).streamEvents(task, encoded)));
      const last = halted.trimEnd().split('\n\n').at(-1);
      expect(last).toMatch(/^event: error\ndata: \{"message":"AuditHalt: audit alarm at step \d+ /);
    });
  });
});

test.each(['v1', 'v2'] as const)(
  'streamEvents %s as server-sent events ends without a word of an error, a halt as well as the graph’s own',
  async (version) => {
    const options = { version, encoding: 'text/event-stream' } as const;
    const two = (second: () => string) => inARow({ first: () => 'first', second });
    const broken = two(() => {
      throw new Error('broken');
    });
    const halted = withAuditor(
      two(() => 'second'),
      createRuntime({ auditor: blaming('first') }),
    );
    for (const graph of [broken, halted]) {
      const text = decoded(await drained(graph.streamEvents(input, options)));
      expect(text.endsWith('event: end\n\n')).toBe(true);
      expect(text).not.toContain('event: error');
    }
  },
);
