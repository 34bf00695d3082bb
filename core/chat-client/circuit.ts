import { CircuitState, ConsecutiveBreaker, circuitBreaker, handleWhen } from 'cockatiel';
import { ChatFailure } from './chat-failure.js';

export interface BreakerOptions {
  /** So many failed requests in a row open the circuit. */
  readonly failures: number;
  /** How long nobody is asked then. After it, one request goes ahead of the others to see. Milliseconds. */
  readonly cooldownMs: number;
}

/** Keeps a server that is down from costing every audit its whole deadline. */
export interface Circuit {
  /** @throws ChatFailure of kind `circuit-open` */
  check(): void;
  /** @throws ChatFailure of kind `circuit-open`, or whatever `work` throws */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function circuit({ failures, cooldownMs }: BreakerOptions): Circuit {
  let openUntil = 0;
  const breaker = circuitBreaker(
    handleWhen(
      (error) => isServersFault(error) || (breaker.state === CircuitState.HalfOpen && isCalledOff(error)),
    ),
    { breaker: new ConsecutiveBreaker(failures), halfOpenAfter: cooldownMs },
  );
  breaker.onBreak(() => {
    openUntil = Date.now() + cooldownMs;
  });
  const check = () => {
    const isOpen = breaker.state === CircuitState.Open && Date.now() < openUntil;
    // Cockatiel would let the others wait for the one that is out to see, for as long as the server hangs.
    if (!isOpen && breaker.state !== CircuitState.HalfOpen) return;
    const when = isOpen ? `asked again in ${openUntil - Date.now()} ms` : 'one request is out to see';
    throw new ChatFailure(
      'circuit-open',
      `not asked: the server failed at least ${failures} times in a row; ${when}`,
    );
  };
  return {
    check,
    run: async (work) => {
      check();
      return breaker.execute(work);
    },
  };
}

/** As a failure such a request counts only where it went ahead to see: it has seen nothing. */
function isCalledOff(error: unknown): boolean {
  return error instanceof ChatFailure && error.kind === 'threw';
}

/** Other failures say that the server is there: it refuses the key or the request. */
function isServersFault(error: unknown): boolean {
  return error instanceof ChatFailure && ['unavailable', 'rate-limited', 'deadline'].includes(error.kind);
}
