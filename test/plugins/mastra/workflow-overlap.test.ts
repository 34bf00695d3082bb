import { setTimeout as pause } from 'node:timers/promises';
import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import type { AuditRequest } from '../../../core/index.js';
import { agentThat } from '../../support/mastra-agents.js';
import { flow, hooked, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

const ask = async () => ({ prompt: 'Say it' });

/** A row of two agents and a step of code, and what happened in which order. */
function rowOf(first: string, overlaps: boolean) {
  const { ran: log, step } = stepsThatNote();
  const speaker = (name: string, text: string) => {
    const says = () => {
      log.push(`${name} asked`);
      return { text };
    };
    return createStep(agentThat(name, says));
  };
  const auditor = {
    audit: async ({ prefix: { newest } }: AuditRequest) => {
      await pause(40);
      log.push(`${newest.agent} judged`);
      const { agent, index } = newest;
      return newest.content === 'wrong'
        ? ({ kind: 'alarm', step: index, agent, reason: 'it is wrong' } as const)
        : ({ kind: 'continue' } as const);
    },
  };
  const workflow = flow()
    .map(ask)
    .then(speaker('planner', first))
    .map(ask)
    .then(speaker('solver', 'fine'))
    .then(step('end'))
    .commit();
  return { log, ...hooked(workflow, { auditor, gating: overlaps ? 'overlap' : 'block' }) };
}

test('under overlap the next agent is asked while the last is judged; a step of code waits for both', async () => {
  const row = rowOf('fine', true);
  await started(row.twin);
  expect(row.log.slice(0, 2)).toEqual(['planner asked', 'solver asked']);
  expect(row.log.indexOf('end')).toBeGreaterThan(row.log.indexOf('solver judged'));
  const blocked = rowOf('fine', false);
  await started(blocked.twin);
  expect(blocked.log.slice(0, 3)).toEqual(['planner asked', 'planner judged', 'solver asked']);
});

test('an alarm lets the same steps of code run under both: none', async () => {
  for (const overlaps of [true, false]) {
    const row = rowOf('wrong', overlaps);
    expect((await started(row.twin)).status).toBe('tripwire');
    expect(row.log).not.toContain('end');
  }
});
