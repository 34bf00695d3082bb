import { AsyncLocalStorage } from 'node:async_hooks';
import { describe, expect, it } from 'vitest';
import type { RuntimeOptions } from '../../core/runtime.js';
import { createRuntime } from '../../core/runtime.js';
import { approve, auditedRun } from '../support/audited-run.js';

function consentRecorded(options: Partial<RuntimeOptions>) {
  const { of, diagnostics } = auditedRun(approve, options);
  const [run] = of('run');
  return { run, codes: diagnostics.map(({ code }) => code) };
}

describe('consent', () => {
  it('is not recorded where nobody was asked', () => {
    expect(consentRecorded({}).run).not.toHaveProperty('consent', expect.any(Boolean));
  });

  it.each([true, false])('of every run: %s', (consent) => {
    expect(consentRecorded({ consent })).toEqual({ run: expect.objectContaining({ consent }), codes: [] });
  });

  it('of each run is asked of a function, in the context of its request', () => {
    const user = new AsyncLocalStorage<{ readonly agreed: boolean }>();
    const consent = () => user.getStore()?.agreed ?? false;
    const asked = (agreed: boolean) => user.run({ agreed }, () => consentRecorded({ consent }).run?.consent);
    expect([asked(true), asked(false)]).toEqual([true, false]);
  });

  it.each<[string, () => unknown]>([
    [
      'throws',
      () => {
        throw new Error('no store');
      },
    ],
    ['gives a promise', async () => true],
    ['gives nothing', () => undefined],
  ])('is none, and that is reported, where the function %s', (_, consent) => {
    const { run, codes } = consentRecorded({ consent: consent as () => boolean });
    expect([run?.consent, codes]).toEqual([false, ['consent-failed']]);
  });

  it('that is neither is refused', () => {
    expect(() => createRuntime({ consent: 'yes' as unknown as boolean })).toThrow(
      'option consent: expected true, false, or a function of the run',
    );
  });
});
