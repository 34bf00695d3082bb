import type { ReadOptions, ToolSpec } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { toArgs } from './conversation/read-calls.js';
import { readMessages } from './conversation/read-messages.js';
import type { Importer } from './importer.js';
import { fieldOf, listOf, shown, textOf } from './json-object.js';
import { type FoundValue, jsonValues, spreadLists } from './json-values.js';
import { toolsIn } from './openai-messages.js';
import { type Attributes, attributesOf, nested } from './otlp/attributes.js';
import { genAiConversation, parsed } from './otlp/gen-ai.js';
import { openInferenceConversation } from './otlp/open-inference.js';
import { refuse, within } from './refuse.js';
import { langGraphAgent, mayBeAgent } from './trace/agent-names.js';
import { byTrace } from './trace/by-trace.js';
import type { Span, SpanCall } from './trace/span.js';
import { traceRun } from './trace/trace-run.js';

/** OTLP's JSON: one object, or lines as the collector's file exporter writes them. */
export const otlpImporter: Importer = {
  format: 'otlp',
  title: 'OTLP JSON',
  recognises: (first) => listOf(Array.isArray(first) ? first[0] : first, 'resourceSpans').length > 0,
  read: readOtlp,
};

/** One run for each trace in which a model, a tool or an agent works. */
export async function* readOtlp(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const tools = new Map<string, readonly ToolSpec[]>();
  const spans = spreadLists(await jsonValues(path, options))
    .flatMap(spansIn)
    .flatMap(({ value, at }) => {
      if (textOf(value, 'traceId') === undefined || textOf(value, 'spanId') === undefined)
        return refuse(within(at, 'traceId'), 'a span without ids', options) ?? [];
      const attributes = attributesOf(value);
      const span = toSpan(value, attributes, at);
      const specs = toolSpecs(attributes);
      if (specs.length > 0) tools.set(span.traceId, specs);
      return [span];
    });
  for (const [traceId, all] of byTrace(spans)) {
    if (!all.some(({ kind, agent }) => kind !== 'other' || agent !== undefined)) continue;
    const facts = { runId: traceId, source: `${path} (trace ${traceId})`, tools: tools.get(traceId) };
    yield traceRun(all, facts, options);
  }
}

function spansIn({ value, at }: FoundValue): FoundValue[] {
  return listOf(value, 'resourceSpans').flatMap((resource, i) =>
    listOf(resource, 'scopeSpans').flatMap((scope, j) =>
      listOf(scope, 'spans').map((span, k) => ({
        value: span,
        at: within(at, `resourceSpans[${i}].scopeSpans[${j}].spans[${k}]`),
      })),
    ),
  );
}

const MODEL_OPERATIONS = new Set(['chat', 'text_completion', 'generate_content', 'generate']);

function toSpan(value: unknown, attributes: Attributes, at: FoundValue['at']): Span {
  const operation = attributes.get('gen_ai.operation.name') ?? attributes.get('traceloop.span.kind');
  const inference = String(attributes.get('openinference.span.kind') ?? '');
  const kind = kindOf(operation, inference);
  const isInference = inference !== '';
  const conversation = isInference
    ? openInferenceConversation(attributes)
    : genAiConversation(value, attributes);
  const failed =
    Number(fieldOf(value, 'status', 'code') ?? 0) === 2 ||
    fieldOf(value, 'status', 'code') === 'STATUS_CODE_ERROR';
  return {
    id: textOf(value, 'spanId') ?? '',
    traceId: textOf(value, 'traceId') ?? '',
    parentId: textOf(value, 'parentSpanId'),
    kind,
    agent: agentOf(value, attributes, operation, inference),
    start: timeOf(fieldOf(value, 'startTimeUnixNano')),
    end: timeOf(fieldOf(value, 'endTimeUnixNano')),
    input:
      kind === 'model' ? conversation.input : chainMessages(attributes, conversation.input, 'input.value'),
    output:
      kind === 'model' ? conversation.output : chainMessages(attributes, conversation.output, 'output.value'),
    ...(kind === 'tool' && { call: callOf(value, attributes) }),
    error: failed ? (textOf(value, 'status', 'message') ?? exceptionOf(value) ?? 'an error') : undefined,
    usage: usageIn(attributes),
    at,
  };
}

function kindOf(operation: unknown, inference: string): Span['kind'] {
  if (inference === 'LLM' || MODEL_OPERATIONS.has(String(operation))) return 'model';
  return inference === 'TOOL' || operation === 'execute_tool' || operation === 'tool' ? 'tool' : 'other';
}

function agentOf(
  value: unknown,
  attributes: Attributes,
  operation: unknown,
  inference: string,
): string | undefined {
  const named = attributes.get('gen_ai.agent.name') ?? attributes.get('agent.name');
  if (typeof named === 'string' && named !== '') return named;
  const name = textOf(value, 'name')?.replace(/^(invoke_agent|create_agent) /, '');
  const langGraph = langGraphAgent(parsed(attributes.get('metadata')));
  if (langGraph !== undefined) return langGraph;
  if (inference === 'AGENT' || operation === 'invoke_agent' || operation === 'agent') return name;
  return inference === 'CHAIN' && mayBeAgent(name) ? name : undefined;
}

/** What a chain was given, or gave, where it is messages: any other value is its own business. */
function chainMessages(attributes: Attributes, found: Span['input'], key: string): Span['input'] {
  return attributes.has(key) ? readMessages(parsed(attributes.get(key))) : found;
}

function callOf(value: unknown, attributes: Attributes): SpanCall {
  const get = (...keys: readonly string[]) =>
    keys.map((key) => attributes.get(key)).find((found) => found !== undefined);
  const name =
    get('gen_ai.tool.name', 'tool.name') ?? textOf(value, 'name')?.replace(/^execute_tool /, '') ?? 'tool';
  const args = get('gen_ai.tool.call.arguments', 'tool.parameters', 'input.value', 'traceloop.entity.input');
  const failed = fieldOf(value, 'status', 'code') === 2;
  const result = get('gen_ai.tool.call.result', 'output.value', 'traceloop.entity.output');
  const [said] = readMessages(parsed(result)).filter(({ role }) => role === 'tool');
  const id = get('gen_ai.tool.call.id', 'tool_call.id', 'tool.id') ?? said?.toolCallId;
  return {
    ...(id !== undefined && { id: String(id) }),
    name: String(name),
    args: toArgs(args).args,
    // Of a tool that failed, the output is its traceback; the message tells what the model saw.
    ...(result !== undefined && !failed && { result: said?.content ?? shown(result) }),
    ...(said?.isError === true && { isError: true }),
  };
}

function toolSpecs(attributes: Attributes): readonly ToolSpec[] {
  const defined = parsed(attributes.get('gen_ai.tool.definitions'));
  if (Array.isArray(defined)) return toolsIn({ tools: defined });
  const listed = nested(attributes, 'llm.tools');
  if (!Array.isArray(listed)) return [];
  return toolsIn({ tools: listed.map((tool: unknown) => parsed(fieldOf(tool, 'tool', 'json_schema'))) });
}

function usageIn(attributes: Attributes): Span['usage'] {
  const number = (...keys: readonly string[]) =>
    keys
      .map((key) => attributes.get(key))
      .find((found): found is number => typeof found === 'number' && found >= 0);
  const inputTokens = number(
    'gen_ai.usage.input_tokens',
    'gen_ai.usage.prompt_tokens',
    'llm.token_count.prompt',
  );
  const outputTokens = number(
    'gen_ai.usage.output_tokens',
    'gen_ai.usage.completion_tokens',
    'llm.token_count.completion',
  );
  if (inputTokens === undefined && outputTokens === undefined) return undefined;
  return {
    ...(inputTokens !== undefined && { inputTokens }),
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

function exceptionOf(span: unknown): string | undefined {
  const event = listOf(span, 'events').find((one) => fieldOf(one, 'name') === 'exception');
  const message = event === undefined ? undefined : attributesOf(event).get('exception.message');
  return typeof message === 'string' ? message : undefined;
}

/** Nanoseconds since the epoch, as text for they are 64 bits wide. */
function timeOf(nanoseconds: unknown): number | undefined {
  const time = Number(nanoseconds) / 1e6;
  return nanoseconds === undefined || !Number.isFinite(time) || time <= 0 ? undefined : time;
}
