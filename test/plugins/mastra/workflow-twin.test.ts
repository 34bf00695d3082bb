import { createRequire } from 'node:module';
import { Workflow } from '@mastra/core/workflows';
import { expect, expectTypeOf, test, vi } from 'vitest';
import { z } from 'zod';
import { isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { scriptedModel } from '../../support/mastra-agents.js';
import { flow, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

test('the twin is a workflow of the same type, results included', async () => {
  const { step } = stepsThatNote();
  const workflow = flow().then(step('plan')).commit();
  const twin = withAuditor(workflow, audited().runtime);
  expectTypeOf(twin).toEqualTypeOf(workflow);
  expect(twin).toBeInstanceOf(Workflow);
  expect([twin.id, Object.keys(twin.steps)]).toEqual(['flow', ['plan']]);
});

test('a CommonJS copy of Mastra is audited as any, agents that are steps too', async () => {
  const load = createRequire(import.meta.url);
  const { createStep, createWorkflow } = load('@mastra/core/workflows');
  const { Agent } = load('@mastra/core/agent');
  const ran: string[] = [];
  const code = (id: string) =>
    createStep({
      id,
      inputSchema: z.any(),
      outputSchema: z.any(),
      execute: async () => {
        ran.push(id);
        return { prompt: 'Say it' };
      },
    });
  const model = scriptedModel([{ text: 'wrong' }]);
  const writer = new Agent({ id: 'writer', name: 'writer', instructions: 'Write.', model });
  const workflow: Workflow = createWorkflow({ id: 'flow', inputSchema: z.any(), outputSchema: z.any() })
    .then(code('ask'))
    .then(createStep(writer))
    .then(code('later'))
    .commit();
  expect(workflow).not.toBeInstanceOf(Workflow);
  const audit = audited({ auditor: strict() });
  const run = await withAuditor(workflow, audit.runtime).createRun();
  expect(isAuditorTripwire(await run.start({ inputData: '' }))).toBe(true);
  expect([ran, audit.turns().map(({ agent }) => agent)]).toEqual([['ask'], ['user', 'ask', 'writer']]);
});
