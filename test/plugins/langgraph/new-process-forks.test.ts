import { AIMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { describe, expect, test, vi } from 'vitest';
import { AuditHalt, createRuntime, type Turn } from '../../../core/index.js';
import { approvingAuditor } from '../../../core/testing/index.js';
import { withAuditor } from '../../../plugins/langgraph/index.js';
import { chain, HINT, recovering, says, spotting, stumbling, told } from '../../support/alarmed-graphs.js';
import { input } from '../../support/graphs.js';
import { supervisor, task } from '../../support/langgraph-teams.js';

vi.spyOn(console, 'error').mockImplementation(() => {});

const config = { configurable: { thread_id: '1' } };

describe('the past of a new process', () => {
  const resumed = async (graph: unknown) => {
    const auditor = approvingAuditor();
    const app = withAuditor(graph as ReturnType<typeof chain>, createRuntime({ auditor }));
    await app.invoke(null as never, config);
    return auditor;
  };

  test('knows what was handed over, but not to whom: LangGraph saves what a command writes, not where it leads', async () => {
    const graph = supervisor({ ran: [], checkpointer: new MemorySaver() });
    const blames = spotting(({ prefix: { newest } }) =>
      newest.content === 'writer found 40.' ? newest.index : undefined,
    );
    const halt = await withAuditor(graph, createRuntime({ auditor: blames }))
      .invoke(task, config)
      .catch((error: unknown) => error as AuditHalt);
    const handoffs = (turns: readonly Turn[] = []) => turns.flatMap(({ handoffTo }) => handoffTo ?? []);
    expect(handoffs((halt as AuditHalt).turns)).toEqual(['researcher', 'writer']);
    const past = (await resumed(graph)).requests.at(-1)?.turns ?? [];
    expect(handoffs(past)).toEqual([]);
    expect(past.map(({ content }) => content)).toEqual(
      expect.arrayContaining(['Successfully transferred to writer']),
    );
  });

  test('does not know what a fork left behind', async () => {
    let tries = 0;
    const graph = chain({
      a: async () => ({ messages: [new AIMessage({ id: `a${tries}`, content: `a${tries++}` })] }),
      b: async () => says(`b${tries}`, `b${tries}`)(),
      c: says('c', 'c'),
    });
    await graph.invoke(input, config);
    const history = await Array.fromAsync(graph.getStateHistory(config));
    const before = history.find(({ next }) => next.join() === 'a');
    const blames = spotting(({ prefix: { newest } }) => (newest.content === 'b2' ? newest.index : undefined));
    const forked = withAuditor(graph, createRuntime({ auditor: blames }));
    await expect(forked.invoke(null as never, before?.config)).rejects.toBeInstanceOf(AuditHalt);
    expect(told(await resumed(graph))).toEqual(['go', 'a1', 'b2', 'c']);
  });

  test('does not know what a recovery undid, and knows where the hint was given', async () => {
    const graph = chain({
      solve: stumbling('solve', 1),
      verify: stumbling('verify', 1),
      after: stumbling('after', 0),
    });
    const app = withAuditor(graph, recovering({ maxRecoveries: 1 }).runtime);
    await expect(app.invoke(input, config)).rejects.toBeInstanceOf(AuditHalt);
    expect(told(await resumed(graph))).toEqual([
      'go',
      expect.stringMatching(HINT),
      'solve is right',
      'verify is WRONG',
      'after is right',
    ]);
  });
});
