import { MockMemory } from '@mastra/core/memory';
import { expect, test, vi } from 'vitest';
import { withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call } from '../../support/mastra-agents.js';
import { adding, lines } from '../../support/mastra-audits.js';

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

test('savePerStep keeps the steps before a halt', async () => {
  const memory = new MockMemory();
  const script = [{ text: 'fine', calls: [call('add')] }, { text: 'wrong' }];
  const agent = agentThat('solver', script, { memory, tools: adding().tools });
  const twin = withAuditor(agent, audited({ auditor: strict() }).runtime);
  await twin.generate('first', { savePerStep: true, ...memoryOf('t') });
  const { messages } = await memory.recall({ threadId: 't', resourceId: 'one' });
  const kept = messages.map(({ role, content }) => [role, content.parts.map(({ type }) => type)]);
  expect(kept).toEqual([
    ['user', ['text']],
    ['assistant', ['text', 'tool-invocation']],
  ]);
});

test('a halted sub-agent’s own thread keeps its words', async () => {
  const memory = new MockMemory();
  const scout = agentThat('scout', [{ text: 'wrong' }], { memory });
  const script = [{ calls: [call('agent-scout', { prompt: 'go' })] }, { text: 'done' }];
  const boss = agentThat('boss', script, { agents: { scout }, memory });
  await withAuditor(boss, audited({ auditor: strict() }).runtime).generate('?', memoryOf('t'));
  const { threads } = await memory.listThreads({});
  const kept = new Map<string, number>();
  for (const { id, resourceId } of threads) {
    kept.set(resourceId, (await memory.recall({ threadId: id })).messages.length);
  }
  expect(Object.fromEntries(kept)).toEqual({ one: 0, 'one-scout': 2 });
});
