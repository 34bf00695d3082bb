import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, type ContextManager, context, metrics, ROOT_CONTEXT, trace } from '@opentelemetry/api';
import {
  AggregationTemporality,
  type DataPoint,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';

/** Carries the active span along as the SDK for Node does. */
class AsyncContextManager implements ContextManager {
  readonly #storage = new AsyncLocalStorage<Context>();

  active(): Context {
    return this.#storage.getStore() ?? ROOT_CONTEXT;
  }

  with<Args extends unknown[], Work extends (...args: Args) => ReturnType<Work>>(
    active: Context,
    work: Work,
    self?: ThisParameterType<Work>,
    ...args: Args
  ): ReturnType<Work> {
    return this.#storage.run(active, () => work.call(self as never, ...args));
  }

  bind<Target>(active: Context, target: Target): Target {
    if (typeof target !== 'function') return target;
    return ((...args: unknown[]) => this.with(active, () => target(...args))) as Target;
  }

  enable(): this {
    return this;
  }

  disable(): this {
    this.#storage.disable();
    return this;
  }
}

/** A host with the real SDKs registered, until the running test has finished. */
export function telemetryHost(...processors: readonly SpanProcessor[]) {
  const exporter = new InMemorySpanExporter();
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({
    exporter: metricExporter,
    exportIntervalMillis: 3_600_000,
  });
  const meterProvider = new MeterProvider({ readers: [reader] });
  context.setGlobalContextManager(new AsyncContextManager());
  trace.setGlobalTracerProvider(
    new BasicTracerProvider({ spanProcessors: [...processors, new SimpleSpanProcessor(exporter)] }),
  );
  metrics.setGlobalMeterProvider(meterProvider);
  onTestFinished(async () => {
    context.disable();
    trace.disable();
    metrics.disable();
    await meterProvider.shutdown();
  });
  const spans = () => exporter.getFinishedSpans();
  return {
    tracer: trace.getTracer('host'),
    spans,
    named: (name: string) => spans().filter((span) => span.name === name),
    /** The data points of one instrument. */
    points: async <Value = number>(name: string) => {
      await reader.forceFlush();
      const all =
        metricExporter
          .getMetrics()
          .at(-1)
          ?.scopeMetrics.flatMap(({ metrics: own }) => own) ?? [];
      const points: readonly DataPoint<unknown>[] =
        all.find(({ descriptor }) => descriptor.name === name)?.dataPoints ?? [];
      return points as readonly DataPoint<Value>[];
    },
  };
}
