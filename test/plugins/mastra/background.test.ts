import { Mastra } from '@mastra/core/mastra';
import { MockMemory } from '@mastra/core/memory';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { expect, test, vi } from 'vitest';
import { z } from 'zod';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

/** An agent whose tool is a background task of Mastra's: its answer comes when the agent has gone on. */
async function digger(...says: readonly string[]) {
  const ran: string[] = [];
  const dig = createTool({
    id: 'dig',
    description: 'Digs',
    inputSchema: z.looseObject({}),
    background: { enabled: true },
    execute: async () => {
      ran.push('dig');
      return 'found gold';
    },
  });
  const script = says.map((text, at) => (at === 0 ? { text, calls: [call('dig')] } : { text }));
  const agent = agentThat('solver', script, {
    tools: { dig },
    memory: new MockMemory(),
    backgroundTasks: { tools: 'all' },
  });
  const backgroundTasks = { enabled: true };
  const mastra = new Mastra({
    agents: { agent },
    storage: new InMemoryStore(),
    logger: false,
    backgroundTasks,
  });
  await mastra.startWorkers();
  const audit = audited({ auditor: strict() });
  /** The chunks' types of all that it says until the task is done. */
  const untilIdle = async (of: Pick<typeof agent, 'streamUntilIdle'>) => {
    const memory = { thread: 't', resource: 'r' };
    const chunks = await Array.fromAsync((await of.streamUntilIdle('?', { memory })).fullStream);
    return chunks.map(({ type }) => type);
  };
  return { ...audit, ran, agent, twin: withAuditor(agent, audit.runtime), untilIdle };
}

test('no background task is started before the verdict on the turn that asks for it', async () => {
  const bare = await digger('wrong', 'I wait', 'gold');
  expect(await bare.untilIdle(bare.agent)).toContain('background-task-completed');
  expect(bare.ran).toEqual(['dig']);

  const halted = await digger('wrong', 'I wait', 'gold');
  const types = await halted.untilIdle(halted.twin);
  expect(types).toContain('tripwire');
  expect(types.filter((type) => type.startsWith('background-task'))).toEqual([]);
  await vi.waitFor(() => expect(outcomes(halted)).toEqual(['halted']));
  expect(halted.ran).toEqual([]);
});

test('that it was started is the tool’s turn; of its answer the agent’s words are judged, in a run of their own', async () => {
  const audit = await digger('I dig', 'I wait', 'gold? that is wrong');
  expect(await audit.untilIdle(audit.twin)).toContain('tripwire');
  expect(lines(audit)).toEqual([
    '*user user: ?',
    'solver agent: I dig',
    expect.stringContaining('solver tool: Background task started.'),
    'solver agent: I wait',
    '*user user: ?',
    '*solver agent: I digI wait',
    'solver agent: gold? that is wrong',
  ]);
  expect(JSON.stringify(audit.agent.prompts[2])).toContain('found gold');
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed', 'halted']));
});
