import type { Outcome } from '../../core/index.js';

/** How an agent's work has ended, as its output tells. */
export interface Settled {
  readonly outcome: Outcome;
  /** Mastra's id of the run, by which it is resumed. */
  readonly runId: string | undefined;
}

interface Output {
  readonly runId?: string;
  readonly status?: string;
  readonly finishReason?: unknown;
  readonly tripwire?: { readonly reason: string } | undefined;
  readonly error?: unknown;
  _waitUntilFinished?(): Promise<void>;
}

/** Of a stream it is known when it ends, whoever reads it; waiting does not make it flow. */
export function settledOutput(result: unknown): Settled | Promise<Settled> {
  const output = outputIn(result);
  if (typeof output._waitUntilFinished !== 'function') return settled(output, output.finishReason);
  return output._waitUntilFinished().then(() => settled(output, output.status));
}

/** A durable agent's stream comes in a box, with its `runId` and a `cleanup`. */
function outputIn(result: unknown): Output {
  const { output } = (result ?? {}) as { readonly output?: unknown };
  return (typeof output === 'object' && output !== null ? output : (result ?? {})) as Output;
}

function settled({ runId, tripwire, error }: Output, how: unknown): Settled {
  if (how === 'suspended') return { runId, outcome: { status: 'interrupted' } };
  if (how === 'canceled' || how === 'aborted') return { runId, outcome: { status: 'aborted' } };
  if (how === 'failed' || how === 'error')
    return { runId, outcome: { status: 'failed', error: String(error) } };
  // A guardrail of the host's own has stopped it.
  if (tripwire) return { runId, outcome: { status: 'failed', error: tripwire.reason } };
  return { runId, outcome: { status: 'completed' } };
}
