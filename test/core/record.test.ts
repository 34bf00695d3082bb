import fc from 'fast-check';
import { expect, it } from 'vitest';
import { auditFailureSchema } from '../../core/audit-failure.js';
import type { AuditNote } from '../../core/audit-note.js';
import { type AuditRecord, auditRecordSchema } from '../../core/record.js';
import type { Verdict } from '../../core/verdict.js';

const count = fc.nat({ max: 1e9 });
const share = fc.double({ min: 0, max: 1, noNaN: true });
const optional = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const failure = fc.record({
  kind: fc.constantFrom(...auditFailureSchema.shape.kind.options),
  message: fc.string(),
});

const verdict: fc.Arbitrary<Verdict> = fc.oneof(
  fc.record({ kind: fc.constant('continue' as const), score: optional(share) }),
  fc.record({
    kind: fc.constant('alarm' as const),
    step: count,
    agent: fc.string({ minLength: 1 }),
    reason: fc.string(),
    score: optional(share),
  }),
);

const origin = { auditor: optional(fc.string()), shadow: optional(fc.constant(true as const)) };
const durationMs = fc.double({ min: 0, max: 1e9, noNaN: true });
const note: fc.Arbitrary<AuditNote> = fc.oneof(
  fc.record({
    type: fc.constant('call' as const),
    ...origin,
    purpose: fc.constantFrom('probe' as const, 'verdict' as const, 'repair' as const, 'vote' as const),
    model: fc.string(),
    provider: optional(fc.string()),
    attempts: fc.integer({ min: 1, max: 9 }),
    inputTokens: optional(count),
    cachedInputTokens: optional(count),
    outputTokens: optional(count),
    cost: optional(durationMs),
    durationMs,
    failed: optional(failure.map(({ kind }) => kind)),
  }),
  fc.record({
    type: fc.constant('cut' as const),
    ...origin,
    turns: fc.integer({ min: 1, max: 99 }),
    tokens: fc.integer({ min: 1, max: 99 }),
  }),
  fc.record({
    type: fc.constant('opinion' as const),
    ...origin,
    auditor: fc.string(),
    verdict: optional(verdict),
    failure: optional(failure),
    durationMs,
  }),
);

const common = {
  v: fc.constant(1 as const),
  runId: fc.string({ minLength: 1 }),
  at: count,
  turnId: fc.string(),
  step: count,
};
const judged = {
  ...common,
  durationMs,
  auditor: optional(fc.string()),
  notes: optional(fc.array(note, { minLength: 1, maxLength: 3 })),
  enforced: fc.constantFrom('proceed' as const, 'halt' as const, 'pause' as const, 'recover' as const),
};
const records: fc.Arbitrary<AuditRecord> = fc.oneof(
  fc.record({
    type: fc.constant('verdict' as const),
    ...judged,
    verdict,
    said: optional(verdict),
    threshold: optional(share),
    alarmTurnId: optional(fc.string()),
  }),
  fc.record({ type: fc.constant('failure' as const), ...judged, failure }),
  fc.record({ type: fc.constant('note' as const), ...common, note }),
);

it('what is written of a judgement reads back, nothing added and nothing lost', () => {
  fc.assert(
    fc.property(records, (record) => {
      const written = JSON.parse(JSON.stringify(record));
      expect(JSON.parse(JSON.stringify(auditRecordSchema.parse(written)))).toEqual(written);
    }),
    { numRuns: 500 },
  );
});
