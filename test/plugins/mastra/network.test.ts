import { MockMemory } from '@mastra/core/memory';
import { expect, test, vi } from 'vitest';
import { auditHalt, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat, type Line } from '../../support/mastra-agents.js';
import { chunkTypes, lines, outcomes } from '../../support/mastra-audits.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});
vi.spyOn(console, 'error').mockImplementation(() => {});

const said = (words: object): Line => ({ text: JSON.stringify(words) });
const PICKS = said({
  primitiveId: 'scout',
  primitiveType: 'agent',
  prompt: 'go',
  selectionReason: 'it scouts',
});
const IS_DONE = said({ isComplete: true, finalResult: 'found', completionReason: 'it is found' });

function network(finding: string) {
  const scout = agentThat('scout', [{ text: finding }]);
  return agentThat('boss', [PICKS, IS_DONE], { agents: { scout }, memory: new MockMemory() });
}

const options = { memory: { thread: 'one', resource: 'one' }, maxSteps: 2 };

test('the router and those it sets to work are one run', async () => {
  const audit = audited();
  const stream = await withAuditor(network('found'), audit.runtime).network('find it', options);
  await chunkTypes(stream);
  expect(await stream.status).toBe('success');
  expect(lines(audit)).toEqual([
    '*user user: find it',
    `Routing Agent agent: ${PICKS.text}`,
    'scout agent: found',
    `Routing Agent agent: ${IS_DONE.text}`,
  ]);
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['completed']));
});

test('a halted network fails, as Mastra has no tripwire for it; the halt is known by the stream', async () => {
  const audit = audited({ auditor: strict() });
  const stream = await withAuditor(network('wrong'), audit.runtime).network('find it', options);
  await chunkTypes(stream);
  expect(await stream.status).toBe('failed');
  await vi.waitFor(() => expect(outcomes(audit)).toEqual(['halted']));
  expect(auditHalt(stream)?.alarm).toMatchObject({ step: 2, agent: 'scout' });
});
