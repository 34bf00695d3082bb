import type { AuditFailureKind, ModelCall } from '../../../core/index.js';
import type { AuditedStep, Exchange } from './walk.js';

export interface Tokens {
  readonly prompt: number;
  readonly cached: number;
  readonly decoded: number;
  /** Of the prompt tokens; null where there are none. */
  readonly cachedShare: number | null;
}

export interface Tally {
  readonly audits: number;
  readonly continues: number;
  readonly alarms: number;
  readonly failures: Partial<Record<AuditFailureKind, number>>;
  /** Audits whose prompt left something out. */
  readonly cut: number;
  /** Verdicts with a score. */
  readonly scored: number;
  readonly probes: {
    readonly asked: number;
    /** Audits that asked nothing further, since SAFE was probable enough. */
    readonly decided: number;
  };
  /** Replies to `verdict` and `repair` calls: those that are a verdict, and what is wrong with the others. */
  readonly replies: {
    readonly parsed: number;
    readonly parsedAtRepair: number;
    readonly faults: Partial<Record<NonNullable<Exchange['fault']>, number>>;
  };
  /** Of each audit's first call alone. The later ones repeat its prompt, and any layout finds that in the cache. */
  readonly firstCalls: Tokens;
  readonly allCalls: Tokens;
  readonly msPerAudit: number | null;
}

export function tally(audits: readonly AuditedStep[]): Tally {
  const verdicts = audits.flatMap(({ result }) => ('verdict' in result ? [result.verdict] : []));
  const failures = audits.flatMap(({ result }) => ('failure' in result ? [result.failure.kind] : []));
  const asked = audits.flatMap(({ exchanges }) => exchanges);
  const reasoned = asked.filter(({ call, reply }) => reply && call.purpose !== 'probe');
  const parsed = reasoned.filter(({ fault }) => fault === undefined);
  const durations = audits.map(({ exchanges }) =>
    exchanges.reduce((sum, { call }) => sum + call.durationMs, 0),
  );
  return {
    audits: audits.length,
    continues: verdicts.filter(({ kind }) => kind === 'continue').length,
    alarms: verdicts.filter(({ kind }) => kind === 'alarm').length,
    failures: counted(failures),
    cut: audits.filter(({ cut }) => cut).length,
    scored: verdicts.filter(({ score }) => score !== undefined).length,
    probes: {
      asked: asked.filter(({ call }) => call.purpose === 'probe').length,
      decided: audits.filter(isDecidedByProbe).length,
    },
    replies: {
      parsed: parsed.length,
      parsedAtRepair: parsed.filter(({ call }) => call.purpose === 'repair').length,
      faults: counted(reasoned.flatMap(({ fault }) => fault ?? [])),
    },
    firstCalls: tokens(audits.flatMap(({ exchanges }) => exchanges[0]?.call ?? [])),
    allCalls: tokens(asked.map(({ call }) => call)),
    msPerAudit: median(durations),
  };
}

function isDecidedByProbe({ exchanges, result }: AuditedStep): boolean {
  return 'verdict' in result && exchanges.every(({ call }) => call.purpose === 'probe');
}

function tokens(calls: readonly ModelCall[]): Tokens {
  const sum = (of: (call: ModelCall) => number | undefined) =>
    calls.reduce((total, call) => total + (of(call) ?? 0), 0);
  const prompt = sum(({ inputTokens }) => inputTokens);
  const cached = sum(({ cachedInputTokens }) => cachedInputTokens);
  const decoded = sum(({ outputTokens }) => outputTokens);
  const cachedShare = prompt === 0 ? null : Number((cached / prompt).toFixed(4));
  return { prompt, cached, decoded, cachedShare };
}

function counted<Name extends string>(names: readonly Name[]): Partial<Record<Name, number>> {
  const counts: Partial<Record<Name, number>> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function median(values: readonly number[]): number | null {
  if (values.length === 0) return null;
  const sorted = values.toSorted((one, other) => one - other);
  const [low, high] = [sorted[(sorted.length - 1) >> 1] ?? 0, sorted[sorted.length >> 1] ?? 0];
  return Math.round((low + high) / 2);
}
