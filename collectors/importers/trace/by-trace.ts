import type { Span } from './span.js';

/** Spans by trace, traces in the order of the file. One span exported twice (at its start, at its end) is the last. */
export function byTrace(spans: readonly Span[]): ReadonlyMap<string, readonly Span[]> {
  const traces = Map.groupBy(spans, ({ traceId }) => traceId);
  return new Map(
    [...traces].map(([id, all]) => [id, [...new Map(all.map((span) => [span.id, span])).values()]]),
  );
}
