import { Mastra } from '@mastra/core/mastra';
import { createEventedWorkflow, createStep, type Workflow } from '@mastra/core/workflows';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { agentThat } from '../../support/mastra-agents.js';
import { flow, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

function hookedInstance() {
  const { ran, step } = stepsThatNote();
  const writer = agentThat('writer', [{ text: 'wrong' }]);
  const ask = async () => ({ prompt: 'Say it' });
  const flows = { report: flow('report').map(ask).then(createStep(writer)).then(step('later')).commit() };
  const mastra = new Mastra({ agents: { writer }, workflows: flows, logger: false });
  const audit = audited({ auditor: strict() });
  return { ran, mastra, twin: withAuditor(mastra, audit.runtime), audit };
}

test('an instance hands out audited agents and workflows, by whatever name, and is itself of the same type', async () => {
  const { ran, mastra, twin } = hookedInstance();
  expect(twin).toBeInstanceOf(Mastra);
  expectTypeOf(twin).toEqualTypeOf(mastra);
  for (const agent of [twin.getAgent('writer'), twin.getAgentById('writer'), twin.listAgents().writer]) {
    expect(isAuditorTripwire(await agent.generate('Say it'))).toBe(true);
  }
  for (const workflow of [
    twin.getWorkflow('report'),
    twin.getWorkflowById('report'),
    twin.listWorkflows()['report'],
  ]) {
    expect(isAuditorTripwire(await started(workflow as Workflow))).toBe(true);
  }
  expect(ran).toEqual([]);
  expect(twin.getAgent('writer')).toBe(twin.getAgent('writer'));
});

test('the instance that was hooked hands out bare ones', async () => {
  const { ran, mastra, audit } = hookedInstance();
  expect((await mastra.getAgent('writer').generate('Say it')).text).toBe('wrong');
  expect((await started(mastra.getWorkflow('report'))).status).toBe('success');
  expect([ran, audit.recorder.records]).toEqual([['later'], []]);
});

test('a workflow of another engine is handed out as it is, and that is said; hooked itself it is refused', async () => {
  const report = createEventedWorkflow({ id: 'report', inputSchema: z.any(), outputSchema: z.any() });
  const audit = audited({ auditor: strict() });
  const mastra = new Mastra({ workflows: { report }, logger: false });
  expect(withAuditor(mastra, audit.runtime).getWorkflow('report')).toBe(mastra.getWorkflow('report'));
  expect(audit.faults).toEqual(['agent-not-hooked']);
  expect(() => withAuditor(report, audit.runtime)).toThrow('run by the engine "evented"');
});
