import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, test, vi } from 'vitest';
import {
  type Auditor,
  type AuditRequest,
  createRuntime,
  everyTurn,
  type Verdict,
} from '../../../core/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { inARow, input, watching } from '../../support/graphs.js';
import { scriptedModel, soloAgent, task } from '../../support/langgraph-teams.js';
import { drained } from '../../support/normalised.js';

// An auditor may itself call models and graphs. Nothing of that is the host's, and nothing of it is a turn.

vi.spyOn(console, 'error').mockImplementation(() => {});

/** Asks a model, and an agent with a tool, before each verdict. */
function thinking(asked: string[]): Auditor {
  return {
    audit: async ({ prefix }: AuditRequest): Promise<Verdict> => {
      const reply = await scriptedModel('judge', asked, ['fine']).invoke(prefix.newest.content);
      await soloAgent({ ran: asked }).invoke(task);
      return reply.text === 'fine'
        ? { kind: 'continue' }
        : { kind: 'alarm', step: 0, agent: 'user', reason: '' };
    },
  };
}

const two = () => inARow({ first: () => 'first', second: () => 'second' });

const thought = ['model:judge', 'model:solo', 'tool:add', 'model:solo'];

describe('an auditor that calls a model and an agent', () => {
  test('is not told of itself', async () => {
    const asked: string[] = [];
    const { runtime, told } = watching({ auditor: thinking(asked), schedule: everyTurn() });
    await withAuditor(two(), runtime).invoke(input);
    expect(told()).toEqual(['user: go', 'first: first', 'second: second']);
    expect(asked).toEqual([...thought, ...thought]);
  });

  test.each(['updates', 'messages', 'custom', 'debug', 'tools'] as const)(
    'does not show in the host’s %s stream',
    async (streamMode) => {
      const options = { streamMode, subgraphs: true };
      const asked: string[] = [];
      const runtime = createRuntime({ auditor: thinking(asked), schedule: everyTurn() });
      const shown = JSON.stringify(await drained(withAuditor(two(), runtime).stream(input, options)));
      expect(asked).toHaveLength(8);
      expect(shown).not.toMatch(/judge|solo|fine|I add/);
    },
  );

  test('does not show in the host’s events and callbacks', async () => {
    const seen: string[] = [];
    const note = (name: unknown) => void seen.push(String(name));
    const callbacks = [
      {
        handleChainStart: (...args: unknown[]) => note(args[7]),
        handleChatModelStart: (...args: unknown[]) => note(args[7]),
        handleToolStart: () => note('tool'),
      },
    ];
    const runtime = createRuntime({ auditor: thinking([]), schedule: everyTurn() });
    const events = await drained(
      withAuditor(two(), runtime).streamEvents(input, { version: 'v2', callbacks }),
    );
    const names = new Set(events.map((event) => (event as { name: string }).name));
    expect(names).toEqual(new Set(['LangGraph', '__start__', 'first', 'second']));
    expect(new Set(seen)).toEqual(new Set(['LangGraph', '__start__', 'first', 'second']));
  });

  test('does not stand in the host’s async context', async () => {
    const context = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const auditor: Auditor = {
      audit: () => {
        seen.push(context.getStore());
        return { kind: 'continue' };
      },
    };
    const inNodes: unknown[] = [];
    const graph = inARow({
      first: () => `first ${inNodes.push(context.getStore())}`,
      second: () => 'second',
    });
    const app = withAuditor(graph, createRuntime({ auditor, schedule: everyTurn() }));
    await context.run('the host’s', () => app.invoke(input));
    expect(inNodes).toEqual(['the host’s']);
    expect(seen).toEqual([undefined, undefined]);
  });
});
