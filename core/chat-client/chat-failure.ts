import { AuditError, type AuditFailureKind } from '../audit-failure.js';

/** What is known of a failed request beside its kind. */
export interface ChatFailureDetails {
  /** HTTP requests made. 0: the server was not asked. */
  readonly attempts?: number | undefined;
  /** HTTP status, where there was an answer. */
  readonly status?: number | undefined;
  /** The same request may fare better a little later. */
  readonly isPassing?: boolean | undefined;
  /** How long the server wants to be left alone. Milliseconds. */
  readonly retryAfterMs?: number | undefined;
}

/** A chat request that came to nothing. It has no `cause`: what a request throws may quote the key. */
export class ChatFailure extends AuditError {
  readonly details: ChatFailureDetails;

  constructor(kind: AuditFailureKind, message: string, details: ChatFailureDetails = {}) {
    super(kind, message);
    this.name = 'ChatFailure';
    this.details = details;
  }

  after(attempts: number): ChatFailure {
    return new ChatFailure(this.kind, this.message, { ...this.details, attempts });
  }
}

/** Why an aborted request is over: its time was up, or somebody lost interest in the answer. */
export function abortFailure({ reason }: AbortSignal): ChatFailure {
  const message = reason instanceof Error ? reason.message : String(reason);
  return isTimeout(reason)
    ? new ChatFailure('deadline', message)
    : new ChatFailure('threw', `called off: ${message}`);
}

/** As `AbortSignal.timeout` says it, and the session's deadline too. */
function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
