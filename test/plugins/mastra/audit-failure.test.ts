import { createStep } from '@mastra/core/workflows';
import { expect, test, vi } from 'vitest';
import { auditHalt, isAuditorTripwire, withAuditor } from '../../../plugins/mastra/index.js';
import { audited } from '../../support/agent-runs.js';
import { adder, outcomes } from '../../support/mastra-audits.js';
import { flow, started } from '../../support/mastra-workflows.js';

vi.spyOn(console, 'warn').mockImplementation(() => {});

class NoCredit extends Error {}

const auditor = { audit: () => Promise.reject(new NoCredit('no credit')) };

/** An agent by itself and one that is a step: each to its result. */
const hosts = {
  agent: (runtime: Parameters<typeof withAuditor>[1]) => {
    const { ran, agent } = adder('I add');
    return { ran, result: withAuditor(agent, runtime).generate('?') };
  },
  workflow: (runtime: Parameters<typeof withAuditor>[1]) => {
    const { ran, agent } = adder('I add');
    const steps = flow().map(async () => ({ prompt: '?' }));
    return { ran, result: started(withAuditor(steps.then(createStep(agent)).commit(), runtime)) };
  },
};

test.each(['agent', 'workflow'] as const)(
  'what an auditor throws goes no way of Mastra’s: neither into its tripwires, nor its retries, nor its result: %s',
  async (host) => {
    const audit = audited({ auditor });
    const { ran, result } = hosts[host](audit.runtime);
    const done = await result;
    expect(isAuditorTripwire(done)).toBe(false);
    expect(JSON.stringify(done)).toContain('It is 40');
    expect([ran, outcomes(audit)]).toEqual([['add'], ['completed']]);
    expect(new Set(audit.of('failure').map(({ failure }) => failure.message))).toEqual(
      new Set(['no credit']),
    );
  },
);

test.each(['agent', 'workflow'] as const)(
  'where it is to halt the run, the tripwire says why and blames nobody: %s',
  async (host) => {
    const audit = audited({ auditor, onAuditFailure: 'halt' });
    const { ran, result } = hosts[host](audit.runtime);
    const done = await result;
    expect(done).toMatchObject({
      tripwire: { processorId: 'auditor', metadata: { step: 1, agent: undefined, reason: 'no credit' } },
    });
    expect(auditHalt(done)).toMatchObject({ alarm: undefined, failure: { failure: { kind: 'threw' } } });
    expect([ran, outcomes(audit)]).toEqual([[], ['halted']]);
  },
);
