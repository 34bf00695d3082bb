import { describe, expect, test } from 'vitest';
import { type AuditSession, createRuntime, type Runtime } from '../../core/index.js';
import type { Subject } from './clause.js';
import { aiSdkHarness } from './harnesses/ai-sdk.js';
import { contract } from './index.js';

// The harness is not vacuous: a plugin that breaks a promise fails the clause.

const harness = aiSdkHarness as Subject['harness'];

/** A runtime whose sessions do one thing otherwise. */
const reworked =
  (rework: (session: AuditSession) => Partial<AuditSession>) =>
  (...options: Parameters<typeof createRuntime>): Runtime => {
    const runtime = createRuntime(...options);
    const openSession: Runtime['openSession'] = (info) => {
      const session = runtime.openSession(info);
      const methods = rework(session);
      return new Proxy(session, {
        get(_session, key) {
          const own: unknown = Reflect.get(methods, key) ?? Reflect.get(session, key, session);
          return typeof own === 'function' ? own.bind(session) : own;
        },
      });
    };
    return Object.assign(Object.create(runtime), { openSession });
  };

async function failedChecks(subject: Subject, clause: string): Promise<number> {
  const checks = contract.find(({ name }) => name === clause)?.checks ?? [];
  const outcomes = await Promise.allSettled(checks.map(({ run }) => run(subject)));
  return outcomes.filter(({ status }) => status === 'rejected').length;
}

describe('a plugin that', () => {
  test('hooks nothing fails ordering and halting', async () => {
    const plugin = { framework: 'ai-sdk', hook: (host: unknown) => host };
    const subject = { harness: { ...harness, plugin }, createRuntime };
    expect(await failedChecks(subject, 'ordering')).toBeGreaterThan(6);
    expect(await failedChecks(subject, 'halting')).toBeGreaterThan(9);
  });

  test('waits for no verdict fails blocking', async () => {
    const subject = {
      harness,
      createRuntime: reworked((session) => ({
        submit(turn) {
          void session.submit(turn);
          return Promise.resolve({ action: 'proceed' });
        },
      })),
    };
    expect(await failedChecks(subject, 'blocking')).toBeGreaterThan(3);
  });

  test('does not wait for the last verdict fails halting', async () => {
    const subject = {
      harness,
      createRuntime: reworked((session) => ({
        async submit(turn) {
          const decision = await session.submit(turn);
          return turn.agent === 'verifier' ? { action: 'proceed' } : decision;
        },
        async close(outcome) {
          await session.close(outcome);
          return { action: 'proceed' };
        },
      })),
    };
    expect(await failedChecks(subject, 'halting')).toBeGreaterThan(0);
  });
});
