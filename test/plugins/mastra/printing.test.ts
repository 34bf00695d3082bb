import { type IMastraLogger, noopLogger } from '@mastra/core/logger';
import { Mastra } from '@mastra/core/mastra';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited, strict } from '../../support/agent-runs.js';
import { adder } from '../../support/mastra-audits.js';
import { flow, started, stepsThatNote } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

/** What Mastra's logger is told, by its level. */
function listening() {
  const heard: string[] = [];
  const hear = (level: string) => (message: unknown) => void heard.push(`${level}: ${message}`);
  const logger = Object.assign(Object.create(noopLogger), {
    warn: hear('warn'),
    error: hear('error'),
    trackException: hear('exception'),
  }) as IMastraLogger;
  return { heard, logger };
}

test('a halted step is no error to Mastra’s logger; a step that fails is', async () => {
  const { heard, logger } = listening();
  const { step } = stepsThatNote();
  const halts = flow('halts').then(step('plan', 'wrong')).commit();
  const fails = flow('fails')
    .then(step('plan', () => Promise.reject(new Error('no plan'))))
    .commit();
  new Mastra({ workflows: { halts, fails }, storage: new InMemoryStore(), logger });
  const { runtime } = audited({ auditor: strict() });
  expect(isAuditorTripwire(await started(withAuditor(halts, runtime)))).toBe(true);
  expect(heard).toEqual([]);
  await started(withAuditor(fails, runtime));
  expect(heard).toContainEqual(expect.stringMatching(/^error: Error executing step .*no plan/));
});

test('of a halted agent it hears one warning, in a step too', async () => {
  const { heard, logger } = listening();
  const alone = adder('wrong').agent;
  const inStep = adder('wrong').agent;
  const steps = flow().map(async () => ({ prompt: '?' }));
  const workflow = steps.then(createStep(inStep)).commit();
  new Mastra({ agents: { alone, inStep }, workflows: { workflow }, storage: new InMemoryStore(), logger });
  const warned = ['warn: Streaming response processor tripwire triggered'];
  await withAuditor(alone, audited({ auditor: strict() }).runtime).generate('?');
  expect(heard.splice(0)).toEqual(warned);
  await started(withAuditor(workflow, audited({ auditor: strict() }).runtime));
  expect(heard).toEqual(warned);
});
