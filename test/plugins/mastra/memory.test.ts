import { MockMemory } from '@mastra/core/memory';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat } from '../../support/mastra-agents.js';
import { lines } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const memoryOf = (thread: string) => ({ memory: { thread, resource: 'one' } });

test('what the thread remembers is given; a halted run leaves nothing in it', async () => {
  const audit = audited({ auditor: strict() });
  const memory = new MockMemory();
  const agent = withAuditor(
    agentThat('solver', [{ text: 'one' }, { text: 'wrong' }], { memory }),
    audit.runtime,
  );
  await agent.generate('first', memoryOf('t'));
  await agent.generate('second', memoryOf('t'));
  expect(lines(audit)).toEqual([
    '*user user: first',
    'solver agent: one',
    '*user user: first',
    '*solver agent: one',
    '*user user: second',
    'solver agent: wrong',
  ]);
  expect(audit.of('run').map(({ task }) => task)).toEqual(['first', 'second']);
  const { messages } = await memory.recall({ threadId: 't', resourceId: 'one' });
  expect(messages).toHaveLength(2);
});
