import { context, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { AuditError } from '../../core/audit-failure.js';
import type { AuditOptions, AuditRequest } from '../../core/auditor.js';
import { shadow } from '../../core/auditors/shadow.js';
import { createRuntime } from '../../core/runtime.js';
import { withAuditor } from '../../plugins/langgraph/index.js';
import { alarmAt, approve, at, auditedRun, says, settle } from '../support/audited-run.js';
import { inARow } from '../support/graphs.js';
import { call, named, telling } from '../support/opinions.js';
import { telemetryHost } from '../support/telemetry.js';

describe('the span of an audit', () => {
  it("hangs under the host's span, and has its own for each model call", async () => {
    const host = telemetryHost();
    const calls = [
      call({ purpose: 'probe', inputTokens: 50, outputTokens: 1, durationMs: 20 }),
      call({ cachedInputTokens: 40, attempts: 2, failed: 'rate-limited', durationMs: 30 }),
    ];
    const { session } = auditedRun(telling({ kind: 'continue', score: 0.25 }, ...calls));
    await host.tracer.startActiveSpan('request', async (span) => {
      await session.submit(says('3'));
      span.end();
    });
    const [request] = host.named('request');
    const [audit, ...others] = host.named('audit solver');
    expect(others).toEqual([]);
    expect(audit?.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(audit?.status.code).toBe(SpanStatusCode.UNSET);
    expect(audit?.attributes).toEqual({
      'gen_ai.operation.name': 'audit',
      'gen_ai.conversation.id': 'run',
      'gen_ai.agent.name': 'solver',
      'gen_ai.evaluation.name': 'auditor',
      'gen_ai.evaluation.score.label': 'continue',
      'gen_ai.evaluation.score.value': 0.25,
      'gen_ai.request.model': 'judge',
      'gen_ai.usage.input_tokens': 140,
      'gen_ai.usage.output_tokens': 11,
      'openinference.span.kind': 'GUARDRAIL',
      'agentforesight.step': 1,
      'agentforesight.enforced': 'proceed',
    });
    const children = host.named('chat judge');
    expect(children.map((span) => span.parentSpanContext?.spanId)).toEqual([
      audit?.spanContext().spanId,
      audit?.spanContext().spanId,
    ]);
    expect(children.map(({ kind, status }) => [kind, status.code])).toEqual([
      [SpanKind.CLIENT, SpanStatusCode.UNSET],
      [SpanKind.CLIENT, SpanStatusCode.ERROR],
    ]);
    expect(children.map(({ duration: [seconds, nanos] }) => seconds * 1e3 + nanos / 1e6)).toEqual([
      expect.closeTo(20, 0),
      expect.closeTo(30, 0),
    ]);
    expect(children[1]?.attributes).toEqual({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'openai',
      'gen_ai.request.model': 'judge',
      'gen_ai.conversation.id': 'run',
      'gen_ai.usage.input_tokens': 90,
      'gen_ai.usage.cache_read.input_tokens': 40,
      'gen_ai.usage.output_tokens': 10,
      'error.type': 'rate-limited',
      'openinference.span.kind': 'LLM',
      'agentforesight.call.purpose': 'verdict',
      'agentforesight.call.attempts': 2,
    });
  });

  it.each([
    ['halt', 'GUARDRAIL', 'halt'],
    ['observe', 'EVALUATOR', 'proceed'],
  ] as const)('tells of an alarm under %s', async (onAlarm, kind, enforced) => {
    const host = telemetryHost();
    await auditedRun(telling(alarmAt(1)), { onAlarm }).session.submit(says('4'));
    const [audit] = host.named('audit solver');
    expect(audit?.attributes).toMatchObject({
      'openinference.span.kind': kind,
      'agentforesight.enforced': enforced,
      'agentforesight.alarm.step': 1,
      'agentforesight.alarm.agent': 'solver',
    });
    expect(audit?.status.code).toBe(SpanStatusCode.UNSET);
    const evaluation = {
      'gen_ai.evaluation.name': 'auditor',
      'gen_ai.evaluation.score.label': 'alarm',
      'gen_ai.evaluation.explanation': 'the sum is wrong',
    };
    expect(audit?.attributes).toMatchObject(evaluation);
    expect(audit?.events).toEqual([
      expect.objectContaining({ name: 'gen_ai.evaluation.result', attributes: evaluation }),
    ]);
  });

  it('is an error where the audit failed, and only there', async () => {
    const host = telemetryHost();
    const secret = `sk-${'a1B2'.repeat(8)}`;
    const { session } = auditedRun(() => {
      throw new AuditError('auth', `the key ${secret} is not known`);
    });
    await session.submit(says('3'));
    const [audit] = host.named('audit solver');
    expect(audit?.attributes['error.type']).toBe('auth');
    expect(audit?.status.code).toBe(SpanStatusCode.ERROR);
    expect(audit?.status.message).toMatch(/is not known/);
    expect(audit?.status.message).not.toContain(secret);
    expect(audit?.events).toEqual([]);
  });

  it('there is one for an audit that the budget forbids, too', async () => {
    const host = telemetryHost();
    const { session } = auditedRun(telling({ kind: 'continue' }, call()), {
      budget: { calls: 1, whenSpent: 'proceed' },
    });
    await session.submit(says('3'));
    await session.submit(says('4'));
    expect(host.named('audit solver').map(({ attributes }) => attributes['error.type'])).toEqual([
      undefined,
      'budget',
    ]);
  });

  it('holds nothing that a turn says, nor the task', async () => {
    const host = telemetryHost();
    const { session } = auditedRun(telling(alarmAt(1), call()), {}, { task: 'the task in private words' });
    await session.submit(
      says('my private words', {
        thought: 'private',
        toolCalls: [{ id: 'c', name: 'private_tool', args: {} }],
      }),
    );
    expect(host.spans().length).toBe(2);
    for (const { name, attributes, events, status } of host.spans())
      expect(JSON.stringify({ name, attributes, events, status })).not.toContain('private');
  });

  it('parallel branches each have theirs, under the span that each was submitted in', async () => {
    const host = telemetryHost();
    const { session } = auditedRun(async () => {
      await settle();
      return { kind: 'continue' };
    });
    const lane = (name: string) =>
      host.tracer.startActiveSpan(`lane ${name}`, async (span) => {
        await session.submit(says(name, { agent: name, path: [at(1, name)] }));
        span.end();
      });
    await Promise.all([lane('a'), lane('b')]);
    for (const name of ['a', 'b']) {
      const [audit] = host.named(`audit ${name}`);
      expect(audit?.parentSpanContext?.spanId).toBe(host.named(`lane ${name}`)[0]?.spanContext().spanId);
    }
  });

  it("hangs under the host's span in a LangGraph run, whose auditor sees nothing of it", async () => {
    const host = telemetryHost();
    const seen: unknown[] = [];
    const auditor = named('auditor', async () => {
      seen.push(trace.getSpan(context.active()));
      await settle();
      seen.push(trace.getSpan(context.active()));
      return { kind: 'continue' };
    });
    const graph = withAuditor(
      inARow({ plan: () => 'I plan.', solve: () => 'I solve.' }),
      createRuntime({ auditor }),
    );
    await host.tracer.startActiveSpan('request', async (span) => {
      await graph.invoke({ messages: [] });
      span.end();
    });
    const [request] = host.named('request');
    const audits = host.spans().filter(({ name }) => name.startsWith('audit '));
    expect(audits.map(({ name }) => name)).toEqual(['audit plan', 'audit solve']);
    for (const audit of audits) expect(audit.parentSpanContext?.spanId).toBe(request?.spanContext().spanId);
    expect(seen).toEqual([undefined, undefined, undefined, undefined]);
  });

  it("a candidate's call has its span too, early or late, and is none of the verdict's usage", async () => {
    const host = telemetryHost();
    const candidate = named('candidate', telling({ kind: 'continue' }, call({ model: 'newer' })));
    for (const isSlow of [true, false]) {
      const primary = named('primary', async (request: AuditRequest, options: AuditOptions) => {
        if (isSlow) await new Promise((resolve) => setTimeout(resolve, 20));
        return telling({ kind: 'continue' }, call())(request, options);
      });
      const auditor = shadow(primary, candidate);
      const { session } = auditedRun(auditor.audit, { auditor });
      await session.submit(says('3'));
      await session.close({ status: 'completed' });
    }
    const audits = host.named('audit solver');
    const calls = host.named('chat newer');
    expect(audits.map(({ attributes }) => attributes['gen_ai.usage.input_tokens'])).toEqual([90, 90]);
    expect(audits.map(({ attributes }) => attributes['gen_ai.request.model'])).toEqual(['judge', 'judge']);
    expect(calls.map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
      audits.map((audit) => audit.spanContext().spanId),
    );
    for (const { attributes } of calls)
      expect(attributes).toMatchObject({
        'agentforesight.call.auditor': 'candidate',
        'agentforesight.call.shadow': true,
      });
  });
});

describe('around telemetry', () => {
  it('without an SDK nothing comes of it, and one that is registered later is heard', async () => {
    const before = auditedRun(telling({ kind: 'continue' }, call()));
    await before.session.submit(says('3'));
    expect(before.diagnostics).toEqual([]);
    const host = telemetryHost();
    expect(host.spans()).toEqual([]);
    expect(await host.points('agentforesight.audits')).toEqual([]);
    await before.session.submit(says('4'));
    expect(host.spans().map(({ name }) => name)).toEqual(['chat judge', 'audit solver']);
    expect((await host.points('agentforesight.audits')).map(({ value }) => value)).toEqual([1]);
  });

  it.each(['onStart', 'onEnd'] as const)(
    'an exporter that throws in %s costs the run nothing',
    async (moment) => {
      const quiet = { onStart() {}, onEnd() {}, forceFlush: async () => {}, shutdown: async () => {} };
      const broken = {
        ...quiet,
        [moment]() {
          throw new Error('telemetry is down');
        },
      };
      telemetryHost(broken);
      const { session, of, diagnostics } = auditedRun(approve);
      expect(await session.submit(says('3'))).toEqual({ action: 'proceed' });
      expect(of('verdict')).toHaveLength(1);
      expect(diagnostics).toEqual([
        expect.objectContaining({ code: 'telemetry-failed', message: 'telemetry is down', runId: 'run' }),
      ]);
    },
  );
});
