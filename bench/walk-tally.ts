import type { AuditFailureKind } from '../core/index.js';
import { firstAlarm } from './prediction.js';
import type { WalkedRun } from './walk.js';

/** What became of a walk. Runs that stood in the file count in everything but `requestsPerSecond`. */
export interface WalkSummary {
  readonly runs: number;
  /** Runs that stood in the file, and were not asked about. */
  readonly resumed: number;
  readonly alarms: number;
  readonly audits: number;
  /** Audits without a verdict, by why. */
  readonly failures: Readonly<Partial<Record<AuditFailureKind, number>>>;
  /** Runs with one at least. */
  readonly failedRuns: number;
  /** HTTP requests, retries included. */
  readonly requests: number;
  /** As servers tell; a call of which nothing is told counts 0. Input includes cached. */
  readonly tokens: { readonly input: number; readonly cachedInput: number; readonly output: number };
  /** Of an audit, failed or not, in milliseconds; null where there was none. */
  readonly latencyMs: { readonly median: number; readonly p95: number } | null;
  readonly seconds: number;
  readonly requestsPerSecond: number;
}

export class WalkTally {
  readonly #began = performance.now();
  readonly #latencies: number[] = [];
  readonly #failures = new Map<AuditFailureKind, number>();
  readonly #tokens = { input: 0, cachedInput: 0, output: 0 };
  #runs = 0;
  #resumed = 0;
  #alarms = 0;
  #failedRuns = 0;
  #requests = 0;
  #newRequests = 0;

  get runs(): number {
    return this.#runs;
  }

  get alarms(): number {
    return this.#alarms;
  }

  get failed(): number {
    return [...this.#failures.values()].reduce((sum, number) => sum + number, 0);
  }

  add({ predicted, resumed }: WalkedRun): void {
    const { audits } = predicted;
    this.#runs++;
    if (resumed) this.#resumed++;
    if (firstAlarm(predicted)) this.#alarms++;
    if (audits.some(({ failure }) => failure)) this.#failedRuns++;
    for (const { failure, ms, calls } of audits) {
      this.#latencies.push(ms);
      if (failure) this.#failures.set(failure.kind, (this.#failures.get(failure.kind) ?? 0) + 1);
      for (const { attempts, inputTokens = 0, cachedInputTokens = 0, outputTokens = 0 } of calls) {
        this.#requests += attempts;
        if (!resumed) this.#newRequests += attempts;
        this.#tokens.input += inputTokens;
        this.#tokens.cachedInput += cachedInputTokens;
        this.#tokens.output += outputTokens;
      }
    }
  }

  summary(): WalkSummary {
    const ascending = this.#latencies.toSorted((one, other) => one - other);
    const seconds = (performance.now() - this.#began) / 1_000;
    return {
      runs: this.#runs,
      resumed: this.#resumed,
      alarms: this.#alarms,
      audits: ascending.length,
      failures: Object.fromEntries(this.#failures),
      failedRuns: this.#failedRuns,
      requests: this.#requests,
      tokens: { ...this.#tokens },
      latencyMs: ascending.length === 0 ? null : { median: at(ascending, 0.5), p95: at(ascending, 0.95) },
      seconds,
      requestsPerSecond: this.#newRequests / seconds,
    };
  }
}

/** The smallest value that so many share do not exceed. */
function at(ascending: readonly number[], share: number): number {
  return ascending[Math.ceil(ascending.length * share) - 1] as number;
}
