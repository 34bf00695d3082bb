import type { Histogram } from '@opentelemetry/sdk-metrics';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../core/audit-failure.js';
import { alarmAt, auditedRun, says } from '../support/audited-run.js';
import { call, telling } from '../support/opinions.js';
import { telemetryHost } from '../support/telemetry.js';

describe('the metrics', () => {
  it('count tokens and time of model calls', async () => {
    const host = telemetryHost();
    const { session } = auditedRun(
      telling(
        { kind: 'continue' },
        call({ durationMs: 500 }),
        call({ durationMs: 1_500, failed: 'unavailable', inputTokens: undefined, outputTokens: undefined }),
      ),
    );
    await session.submit(says('3'));
    const origin = {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'judge',
    };
    const tokens = await host.points<Histogram>('gen_ai.client.token.usage');
    expect(tokens.map(({ attributes, value }) => [attributes, value.sum])).toEqual([
      [{ ...origin, 'gen_ai.token.type': 'input' }, 90],
      [{ ...origin, 'gen_ai.token.type': 'output' }, 10],
    ]);
    const durations = await host.points<Histogram>('gen_ai.client.operation.duration');
    expect(durations.map(({ attributes, value }) => [attributes, value.sum])).toEqual([
      [origin, 0.5],
      [{ ...origin, 'error.type': 'unavailable' }, 1.5],
    ]);
    expect(durations[0]?.value.buckets.boundaries).toContain(81.92);
  });

  it('count audits by result, and what was done', async () => {
    const host = telemetryHost();
    const { session } = auditedRun(({ prefix }) => {
      if (prefix.length === 2) return { kind: 'continue' };
      if (prefix.length === 3) throw new AuditError('refused', 'no such model');
      return alarmAt(3);
    });
    for (const word of ['1', '2', '3']) await session.submit(says(word));
    const audits = await host.points('agentforesight.audits');
    expect(audits.map(({ attributes, value }) => [attributes, value])).toEqual(
      [
        ['continue', 'proceed'],
        ['refused', 'proceed'],
        ['alarm', 'halt'],
      ].map(([result, enforced]) => [
        {
          'gen_ai.evaluation.name': 'auditor',
          'agentforesight.result': result,
          'agentforesight.enforced': enforced,
        },
        1,
      ]),
    );
    const durations = await host.points<Histogram>('agentforesight.audit.duration');
    expect(durations.map(({ value }) => value.count)).toEqual([1, 1, 1]);
  });
});
