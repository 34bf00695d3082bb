import { AsyncResource } from 'node:async_hooks';
import { AuditError, type AuditFailure, type AuditFailureKind, auditFailureSchema } from './audit-failure.js';
import type { AuditOptions, Auditor, AuditRequest, AuditResult } from './auditor.js';
import { EXPIRED, within } from './deadline.js';
import { messageOf } from './diagnostics.js';
import type { Prefix } from './prefix.js';
import { verdictSchema } from './verdict.js';

/**
 * Runs in the async context of this module's load, not the host's: an auditor that itself calls a model must not show
 * up in the host's traces, callbacks or state.
 */
const outsideHostContext = new AsyncResource('agentforesight.audit');

/**
 * Asks once, waits at most `deadlineMs`, and sorts what comes back. Never rejects.
 *
 * @param options its `signal`, if any, is that of an audit that this one is a part of, and ends the waiting too
 */
export async function askAuditor(
  auditor: Auditor,
  request: AuditRequest,
  deadlineMs: number,
  { signal, ...options }: Partial<AuditOptions>,
): Promise<AuditResult> {
  const controller = new AbortController();
  try {
    const deadlineAt = Math.min(
      performance.now() + deadlineMs,
      options.deadlineAt ?? Number.POSITIVE_INFINITY,
    );
    const reply = outsideHostContext.runInAsyncScope(() =>
      auditor.audit(request, { ...options, signal: controller.signal, deadlineAt }),
    );
    const answer = isPromiseLike(reply) ? await within(Promise.resolve(reply), deadlineMs, signal) : reply;
    if (answer === EXPIRED) {
      const reason = signal?.aborted
        ? signal.reason
        : new DOMException(`no verdict within ${deadlineMs} ms`, 'TimeoutError');
      controller.abort(reason);
      return { failure: { kind: 'deadline', message: messageOf(reason) } };
    }
    return readVerdict(answer, request.prefix);
  } catch (cause) {
    return { failure: { kind: kindOf(cause), message: messageOf(cause) } };
  }
}

/** Plain JavaScript may throw an AuditError of any kind; a log with an unknown one could not be read. */
function kindOf(cause: unknown): AuditFailureKind {
  const { kind } = auditFailureSchema.shape;
  return kind.catch('threw').parse(cause instanceof AuditError ? cause.kind : undefined);
}

/** A verdict must have the right shape and speak of turns and agents that are there. */
function readVerdict(answer: unknown, prefix: Prefix): AuditResult {
  if (isBareContinue(answer)) return { verdict: { kind: 'continue' } };
  const { success, data: verdict, error } = verdictSchema.safeParse(answer);
  if (!success) {
    const [issue] = error.issues;
    return invalid(`the reply is no verdict: ${issue?.path.join('.') || 'reply'}: ${issue?.message}`);
  }
  if (verdict.kind === 'continue') return { verdict };
  if (verdict.step >= prefix.length) {
    return invalid(`the alarm names step ${verdict.step}, but the newest turn is step ${prefix.length - 1}`);
  }
  for (const turn of prefix) {
    if (turn.agent === verdict.agent) return { verdict };
  }
  return invalid(`the alarm names agent ${JSON.stringify(verdict.agent)}, which has not spoken`);
}

/** What auditors say most; the schema need not be asked. */
function isBareContinue(answer: unknown): boolean {
  if (typeof answer !== 'object' || answer === null || Array.isArray(answer)) return false;
  const { kind, score } = answer as { kind?: unknown; score?: unknown };
  return kind === 'continue' && score === undefined;
}

function invalid(message: string): { failure: AuditFailure } {
  return { failure: { kind: 'invalid', message } };
}

export function isPromiseLike(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
