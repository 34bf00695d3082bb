import {
  type Attributes,
  type Context,
  type Counter,
  context,
  createNoopMeter,
  type Histogram,
  type MeterProvider,
  metrics,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import type { AuditNote, ModelCall } from './audit-note.js';
import type { AuditResult } from './auditor.js';
import type { Enforced } from './gate.js';
import { instruments, names } from './telemetry-names.js';

const SCOPE = 'agentforesight';
/** Of a call that does not name its provider: most servers speak that protocol. */
const DEFAULT_PROVIDER = 'openai';

export interface TracedAudit {
  readonly runId: string;
  /** Who judges. */
  readonly auditor: string;
  /** Whose step is judged. */
  readonly agent: string;
  readonly step: number;
  /** Whether an alarm can stop the run, or is only taken down. */
  readonly isGuardrail: boolean;
  /** Told what telemetry itself throws. */
  readonly onFault: (cause: unknown) => void;
}

export interface EndedAudit {
  /** Redacted. */
  readonly result: AuditResult;
  readonly notes: readonly AuditNote[];
  readonly durationMs: number;
}

/**
 * One audit in the host's traces and metrics, by OpenTelemetry's API alone: where the host has registered no SDK, nothing
 * becomes of it. The span hangs under the one that was active when the audit began. What turns say never gets in; of an
 * auditor's words only an alarm's reason and a failure's message do. Never throws.
 */
export class AuditTrace {
  readonly #audit: TracedAudit;
  readonly #span: Span | undefined;
  readonly #context: Context | undefined;

  constructor(audit: TracedAudit) {
    this.#audit = audit;
    try {
      const tracer = registeredTracer();
      if (!tracer) return;
      const parent = context.active();
      const span = tracer.startSpan(`audit ${audit.agent}`, undefined, parent);
      this.#span = span;
      this.#context = trace.setSpan(parent, span);
      span.setAttributes({
        [names.operation]: 'audit',
        [names.conversation]: audit.runId,
        [names.agent]: audit.agent,
        [names.step]: audit.step,
        [names.evaluation]: audit.auditor,
        [names.spanKind]: audit.isGuardrail ? 'GUARDRAIL' : 'EVALUATOR',
      });
    } catch (cause) {
      audit.onFault(cause);
    }
  }

  /** A model call that has just ended, whether or not the audit has too. */
  called(call: ModelCall): void {
    try {
      meter()?.call(call);
      if (this.#context) traceCall(call, this.#audit.runId, this.#context);
    } catch (cause) {
      this.#audit.onFault(cause);
    }
  }

  end(ended: EndedAudit, enforced: Enforced): void {
    try {
      meter()?.audit(this.#audit, ended, enforced);
      if (this.#span) conclude(this.#span, this.#audit, ended, enforced);
    } catch (cause) {
      this.#audit.onFault(cause);
    }
  }
}

function conclude(
  span: Span,
  { auditor }: TracedAudit,
  { result, notes }: EndedAudit,
  enforced: Enforced,
): void {
  span.setAttributes({ ...usageOf(notes), [names.enforced]: enforced });
  if ('failure' in result) {
    const { kind, message } = result.failure;
    span.setAttribute(names.errorType, kind);
    span.setStatus({ code: SpanStatusCode.ERROR, message });
  } else {
    const evaluation = evaluationOf(auditor, result.verdict);
    span.setAttributes(evaluation);
    span.addEvent(names.evaluationEvent, evaluation);
    if (result.verdict.kind === 'alarm') {
      span.setAttribute(names.blamedStep, result.verdict.step);
      span.setAttribute(names.blamedAgent, result.verdict.agent);
    }
  }
  span.end();
}

function evaluationOf(auditor: string, verdict: Extract<AuditResult, { verdict: unknown }>['verdict']) {
  return defined({
    [names.evaluation]: auditor,
    [names.label]: verdict.kind,
    [names.score]: verdict.score,
    [names.explanation]: verdict.kind === 'alarm' ? verdict.reason : undefined,
  });
}

/** What the verdict took; a shadow's calls are not its own. */
function usageOf(notes: readonly AuditNote[]): Attributes {
  const calls = notes.filter((note) => note.type === 'call').filter(({ shadow }) => !shadow);
  if (calls.length === 0) return {};
  const models = new Set(calls.map(({ model }) => model));
  return defined({
    [names.model]: models.size === 1 ? calls[0]?.model : undefined,
    [names.inputTokens]: calls.reduce((sum, { inputTokens = 0 }) => sum + inputTokens, 0),
    [names.outputTokens]: calls.reduce((sum, { outputTokens = 0 }) => sum + outputTokens, 0),
  });
}

function traceCall(call: ModelCall, runId: string, parent: Context): void {
  const end = Date.now();
  const attributes = {
    ...originOf(call),
    ...defined({
      [names.conversation]: runId,
      [names.inputTokens]: call.inputTokens,
      [names.cachedInputTokens]: call.cachedInputTokens,
      [names.outputTokens]: call.outputTokens,
      [names.errorType]: call.failed,
      [names.purpose]: call.purpose,
      [names.attempts]: call.attempts,
      [names.caller]: call.auditor,
      [names.shadow]: call.shadow,
      [names.spanKind]: 'LLM',
    }),
  };
  const startTime = end - call.durationMs;
  const options = { kind: SpanKind.CLIENT, startTime, attributes };
  const span = registeredTracer()?.startSpan(`chat ${call.model}`, options, parent);
  if (call.failed !== undefined) span?.setStatus({ code: SpanStatusCode.ERROR });
  span?.end(end);
}

function originOf({ model, provider = DEFAULT_PROVIDER }: ModelCall): Attributes {
  return { [names.operation]: 'chat', [names.provider]: provider, [names.model]: model };
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined));
}

/** Nothing where no SDK is registered: an audit then costs next to nothing. */
function registeredTracer(): Tracer | undefined {
  const provider = trace.getTracerProvider();
  return provider instanceof ProxyTracerProvider
    ? provider.getDelegateTracer(SCOPE)
    : provider.getTracer(SCOPE);
}

class Meter {
  readonly #tokens: Histogram;
  readonly #callDuration: Histogram;
  readonly #audits: Counter;
  readonly #auditDuration: Histogram;

  constructor(provider: MeterProvider) {
    const meter = provider.getMeter(SCOPE);
    const histogram = ({ name, unit, bounds }: { name: string; unit: string; bounds: readonly number[] }) =>
      meter.createHistogram(name, { unit, advice: { explicitBucketBoundaries: [...bounds] } });
    this.#tokens = histogram(instruments.tokens);
    this.#callDuration = histogram(instruments.callDuration);
    this.#auditDuration = histogram(instruments.auditDuration);
    this.#audits = meter.createCounter(instruments.audits.name, { unit: instruments.audits.unit });
  }

  call(call: ModelCall): void {
    const origin = originOf(call);
    const { inputTokens, outputTokens, failed, durationMs } = call;
    if (inputTokens !== undefined)
      this.#tokens.record(inputTokens, { ...origin, [names.tokenType]: 'input' });
    if (outputTokens !== undefined)
      this.#tokens.record(outputTokens, { ...origin, [names.tokenType]: 'output' });
    this.#callDuration.record(durationMs / 1_000, { ...origin, ...defined({ [names.errorType]: failed }) });
  }

  audit({ auditor }: TracedAudit, { result, durationMs }: EndedAudit, enforced: Enforced): void {
    const said = 'failure' in result ? result.failure.kind : result.verdict.kind;
    const attributes = { [names.evaluation]: auditor, [names.result]: said, [names.enforced]: enforced };
    this.#audits.add(1, attributes);
    this.#auditDuration.record(durationMs / 1_000, attributes);
  }
}

const metersOf = new WeakMap<MeterProvider, Meter | 'none'>();

/** Looked up for each use: the host may register its SDK before this module is loaded, or after. */
function meter(): Meter | undefined {
  const provider = metrics.getMeterProvider();
  let known = metersOf.get(provider);
  if (known === undefined) {
    known = provider.getMeter(SCOPE) === createNoopMeter() ? 'none' : new Meter(provider);
    metersOf.set(provider, known);
  }
  return known === 'none' ? undefined : known;
}
