import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { jsonOrNothing } from './aftraj-action.js';
import { type Message, message } from './conversation/message.js';
import { toArgs } from './conversation/read-calls.js';
import { readMessages } from './conversation/read-messages.js';
import { usageOf } from './conversation/read-usage.js';
import type { Importer } from './importer.js';
import { fieldOf, isObject, listOf, shown, textOf } from './json-object.js';
import { type FoundValue, jsonValues, spreadLists } from './json-values.js';
import { toolsIn } from './openai-messages.js';
import { refuse, within } from './refuse.js';
import { langGraphAgent, mayBeAgent } from './trace/agent-names.js';
import { byTrace } from './trace/by-trace.js';
import type { Span } from './trace/span.js';
import { traceRun } from './trace/trace-run.js';

/** Langfuse's observations (a list, `data` of its API, lines), and its traces with their observations inside. */
export const langfuseImporter: Importer = {
  format: 'langfuse',
  title: 'Langfuse observations',
  recognises: (first) =>
    observationsIn({ value: first, at: { file: '' } }).some(({ value }) => isObservation(value)),
  read: readLangfuse,
};

const KINDS: ReadonlyMap<string, Span['kind']> = new Map([
  ['GENERATION', 'model'],
  ['TOOL', 'tool'],
]);

/** One run for each trace. */
export async function* readLangfuse(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const found = await jsonValues(path, options);
  const traces = new Map(
    spreadLists(found).map(({ value }) => [textOf(value, 'trace', 'id') ?? textOf(value, 'id'), value]),
  );
  const tools = new Map<string, unknown>();
  const spans = found.flatMap(observationsIn).flatMap(({ value, at }) => {
    if (!isObservation(value)) return refuse(within(at, 'type'), 'no observation of Langfuse', options) ?? [];
    const span = toSpan(value, at);
    const input = parsed(fieldOf(value, 'input'));
    const specs = offeredTools(input);
    if (specs.length > 0) tools.set(span.traceId, { tools: specs });
    return [span];
  });
  for (const [traceId, all] of byTrace(spans)) {
    const facts = {
      runId: traceId,
      source: `${path} (trace ${traceId})`,
      tools: toolsIn(tools.get(traceId)),
    };
    const trace = traces.get(traceId);
    const input = fieldOf(trace, 'trace', 'input') ?? fieldOf(trace, 'input');
    yield traceRun(
      all,
      { ...facts, ...(input !== undefined && input !== null && { task: shown(input) }) },
      options,
    );
  }
}

/** Those of an observation's list, an API's page, a trace. A trace's observations need not repeat its id. */
function observationsIn(found: FoundValue): FoundValue[] {
  return spreadLists([found]).flatMap(({ value, at }) => {
    const field = ['observations', 'data'].find((name) => listOf(value, name).length > 0);
    if (field === undefined) return [{ value, at }];
    const traceId = textOf(value, 'trace', 'id') ?? textOf(value, 'id');
    return listOf(value, field).map((observation, index) => ({
      value: isObject(observation) ? { traceId, ...observation } : observation,
      at: within(at, `${field}[${index}]`),
    }));
  });
}

function isObservation(value: unknown): boolean {
  return (
    textOf(value, 'id') !== undefined &&
    (textOf(value, 'traceId') ?? textOf(value, 'trace_id')) !== undefined &&
    /^[A-Z]+$/.test(textOf(value, 'type') ?? '')
  );
}

function toSpan(value: unknown, at: FoundValue['at']): Span {
  const type = textOf(value, 'type') ?? '';
  const name = textOf(value, 'name');
  const metadata = parsed(fieldOf(value, 'metadata'));
  const kind = KINDS.get(type) ?? 'other';
  const input = parsed(fieldOf(value, 'input'));
  const output = parsed(fieldOf(value, 'output'));
  const isError = textOf(value, 'level') === 'ERROR';
  const said = readMessages(output);
  const isHolder = type === 'AGENT' || ((type === 'SPAN' || type === 'CHAIN') && mayBeAgent(name));
  const result = said.find(({ role }) => role === 'tool');
  return {
    id: textOf(value, 'id') ?? '',
    traceId: textOf(value, 'traceId') ?? textOf(value, 'trace_id') ?? '',
    parentId: textOf(value, 'parentObservationId') ?? textOf(value, 'parent_observation_id'),
    kind,
    agent: langGraphAgent(metadata) ?? (isHolder ? name : undefined),
    start: timeOf(value, 'startTime', 'start_time'),
    end: timeOf(value, 'endTime', 'end_time'),
    input: kind === 'model' ? asMessages(withoutTools(input), 'user') : readMessages(input),
    output: kind === 'model' ? asMessages(output, 'agent') : said,
    ...(kind === 'tool' && {
      call: {
        id: result?.toolCallId ?? textOf(metadata, 'tool_call_id') ?? textOf(input, 'id'),
        name: name ?? 'tool',
        args: toArgs(fieldOf(input, 'args') ?? input).args,
        result: result?.content ?? (output === undefined || output === null ? undefined : shown(output)),
        ...((isError || result?.isError === true) && { isError: true }),
      },
    }),
    error: isError ? (textOf(value, 'statusMessage') ?? 'an error') : undefined,
    usage: usageOf(fieldOf(value, 'usageDetails')) ?? usageOf(fieldOf(value, 'usage')),
    at,
  };
}

/** Langfuse puts the tools that a model may call among its messages, as contents of the role `tool`. */
function isTool(item: unknown): boolean {
  return fieldOf(item, 'role') === 'tool' && fieldOf(item, 'content', 'type') === 'function';
}

function offeredTools(input: unknown): readonly unknown[] {
  const among = Array.isArray(input) ? input.filter(isTool).map((item) => fieldOf(item, 'content')) : [];
  return among.length > 0 ? among : listOf(input, 'tools');
}

function withoutTools(input: unknown): unknown {
  return Array.isArray(input) ? input.filter((item) => !isTool(item)) : input;
}

/** Messages where a value holds some; else its text is one message. */
function asMessages(value: unknown, role: Message['role']): readonly Message[] {
  const messages = readMessages(value);
  if (messages.length > 0 || value === undefined || value === null) return messages;
  const text = ['content', 'text', 'completion', 'output', 'prompt'].map((name) => textOf(value, name));
  return [message(role, text.find(Boolean) ?? shown(value))];
}

/** Exports keep values as JSON text. */
function parsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{"]/.test(value)) return value;
  return jsonOrNothing(value) ?? value;
}

function timeOf(value: unknown, ...names: readonly string[]): number | undefined {
  const time = Date.parse(names.map((name) => textOf(value, name)).find(Boolean) ?? '');
  return Number.isFinite(time) ? time : undefined;
}
