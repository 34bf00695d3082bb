import type { InputLocation, JsonValue, Usage } from '../../../core/index.js';
import type { Message } from '../conversation/message.js';

/** One span of a trace, as LangSmith's runs, Langfuse's observations and OpenTelemetry's spans all have them. */
export interface Span {
  readonly id: string;
  readonly traceId: string;
  readonly parentId?: string | undefined;
  /** A model call, a tool's work, or whatever holds these together. */
  readonly kind: 'model' | 'tool' | 'other';
  /** The agent whose work this span and those inside it are, where it says so. */
  readonly agent?: string | undefined;
  /** Milliseconds since the epoch. */
  readonly start?: number | undefined;
  readonly end?: number | undefined;
  /** Of a model call, the whole conversation; of others, the messages among what they were given. */
  readonly input: readonly Message[];
  readonly output: readonly Message[];
  /** Of a tool's work. */
  readonly call?: SpanCall | undefined;
  readonly error?: string | undefined;
  readonly usage?: Usage | undefined;
  readonly at: InputLocation;
}

export interface SpanCall {
  readonly id?: string | undefined;
  readonly name: string;
  readonly args: JsonValue;
  /** Undefined where the exporter kept none. */
  readonly result?: string | undefined;
  readonly isError?: boolean | undefined;
}
