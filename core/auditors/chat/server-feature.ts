import { ChatFailure } from '../../chat-client/chat-failure.js';

/**
 * Something that not every server can do. One that refuses it, and then answers the same question without it, is not
 * asked for it again.
 */
export class ServerFeature {
  #state: 'untried' | 'there' | 'missing' = 'untried';

  get isWorthTrying(): boolean {
    return this.#state !== 'missing';
  }

  works(): void {
    this.#state = 'there';
  }

  /** Says nothing against what has worked meanwhile: audits side by side try it at once. */
  isMissing(): void {
    if (this.#state !== 'there') this.#state = 'missing';
  }

  /** Whether a failure may be due to the feature, rather than to the question: too long, an unknown model. */
  mayExplain(cause: unknown): boolean {
    if (this.#state === 'there' || !(cause instanceof ChatFailure)) return false;
    const { status } = cause.details;
    return cause.kind === 'refused' && (status === 400 || status === 422);
  }
}
