import { expect, test, vi } from 'vitest';
import { auditHalt, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, call, toolThat } from '../../support/mastra-agents.js';
import { adding, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const asks = (name: string, id = name) => call(`agent-${name}`, { prompt: 'go' }, id);

/** A boss over a scout, who is over a miner. */
function team(oreOf: string) {
  const miner = agentThat('miner', [{ text: oreOf }]);
  const scout = agentThat('scout', [{ calls: [asks('miner')] }, { text: 'scouted' }], { agents: { miner } });
  const boss = agentThat('boss', [{ calls: [asks('scout')] }, { text: 'done' }], { agents: { scout } });
  return { miner, scout, boss };
}

test.each(['generate', 'stream'] as const)('two levels of sub-agents are one run: %s', async (method) => {
  const audit = audited();
  const boss = withAuditor(team('ore').boss, audit.runtime);
  await (method === 'generate' ? await boss.generate('dig') : await boss.stream('dig')).text;
  expect(lines(audit)).toEqual([
    '*user user: dig',
    'boss agent: ',
    'scout agent: ',
    'miner agent: ore',
    'scout tool: ore',
    'scout agent: scouted',
    'boss tool: scouted',
    'boss agent: done',
  ]);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed']));
  expect(audit.faults).toEqual([]);
});

test('Mastra hides a sub-agent’s tripwire in a tool’s answer; the agents above it are stopped all the same', async () => {
  const audit = audited({ auditor: strict() });
  const { boss, scout } = team('wrong');
  const result = await withAuditor(boss, audit.runtime).generate('dig');
  expect(auditHalt(result)?.alarm).toMatchObject({ step: 3, agent: 'miner' });
  expect([boss.prompts.length, scout.prompts.length]).toEqual([1, 1]);
  expect(lines(audit)).toEqual(['*user user: dig', 'boss agent: ', 'scout agent: ', 'miner agent: wrong']);
});

test('delegation side by side: lanes that do not see each other', async () => {
  const audit = audited();
  const scout = agentThat('scout', [{ text: 'scouted' }]);
  const smith = agentThat('smith', [{ text: 'forged' }]);
  const boss = agentThat('boss', [{ calls: [asks('scout'), asks('smith')] }, { text: 'done' }], {
    agents: { scout, smith },
  });
  await withAuditor(boss, audit.runtime).generate('go');
  const [scouted, forged] = audit.turns().filter(({ agent }) => agent !== 'boss' && agent !== 'user');
  expect(scouted?.path.map(({ step }) => step)).toEqual(forged?.path.map(({ step }) => step));
  expect(scouted?.path).not.toEqual(forged?.path);
  expect(lines(audit).slice(-3)).toEqual(['boss tool: scouted', 'boss tool: forged', 'boss agent: done']);
});

test('agents that a tool calls in turn, beside a tool that does so too, keep their lanes', async () => {
  const order = async (left: number, right: number) => {
    const audit = audited();
    const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
    const twoOf = (name: string, ms: number) =>
      toolThat(name, async () => {
        for (const at of [1, 2]) {
          await wait(ms);
          await agentThat(`${name}-${at}`, [{ text: `${name} ${at}` }]).generate('go');
        }
      });
    const tools = { left: twoOf('left', left), right: twoOf('right', right) };
    const boss = agentThat('boss', [{ calls: [call('left'), call('right')] }, { text: 'done' }], { tools });
    await withAuditor(boss, audit.runtime).generate('go');
    return Object.fromEntries(audit.turns().map(({ agent, path }) => [agent, path]));
  };
  expect(await order(1, 15)).toEqual(await order(15, 1));
});

test('tools that take turns do not start after a halt', async () => {
  const { ran, tools } = adding();
  const scout = agentThat('scout', [{ text: 'wrong' }]);
  const boss = agentThat('boss', [{ calls: [asks('scout'), call('add')] }, { text: 'done' }], {
    agents: { scout },
    tools,
  });
  const audit = audited({ auditor: strict() });
  const result = await withAuditor(boss, audit.runtime).generate('go', { toolCallConcurrency: 1 });
  expect(auditHalt(result)?.alarm?.agent).toBe('scout');
  expect(ran).toEqual([]);
  expect(lines(audit)).toEqual(['*user user: go', 'boss agent: ', 'scout agent: wrong']);
});

test('a sub-agent that is itself hooked belongs to the run of who calls it', async () => {
  const audit = audited();
  const scout = withAuditor(agentThat('scout', [{ text: 'scouted' }]), audit.runtime);
  const boss = agentThat('boss', [{ calls: [asks('scout')] }, { text: 'done' }], { agents: { scout } });
  await withAuditor(boss, audit.runtime).generate('go');
  expect(audit.of('run')).toHaveLength(1);
  expect(audit.turns().filter(({ agent }) => agent === 'scout')).toHaveLength(1);
});

test('an agent that is called outside an audited run is not audited', async () => {
  const audit = audited();
  const { boss, scout } = team('ore');
  withAuditor(boss, audit.runtime);
  await boss.generate('dig');
  await scout.generate('dig');
  expect(audit.of('run')).toEqual([]);
});
