import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { message } from './conversation/message.js';
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
import type { Span, SpanCall } from './trace/span.js';
import { traceRun } from './trace/trace-run.js';

/** LangSmith's runs, as its API and its bulk exports give them: a list, an object with `runs`, or lines. */
export const langSmithImporter: Importer = {
  format: 'langsmith',
  title: 'LangSmith runs',
  recognises: (first) => runsIn({ value: first, at: { file: '' } }).some(({ value }) => isRun(value)),
  read: readLangSmith,
};

/** One run for each trace. */
export async function* readLangSmith(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const kept = (await jsonValues(path, options)).flatMap(runsIn).flatMap((found) => withChildren(found));
  const tools = new Map<string, unknown>();
  const spans = kept.flatMap(({ value, at }) => {
    if (!isRun(value)) return refuse(within(at, 'run_type'), 'no run of LangSmith', options) ?? [];
    const span = toSpan(value, at);
    const params = fieldOf(value, 'extra', 'invocation_params');
    if (listOf(params, 'tools').length > 0) tools.set(span.traceId, params);
    return [span];
  });
  for (const [traceId, all] of byTrace(inOrder(spans))) {
    const root = kept.find(({ value }) => textOf(value, 'id') === traceId) ?? { value: undefined };
    const facts = {
      runId: traceId,
      source: `${path} (trace ${traceId})`,
      tools: toolsIn(tools.get(traceId)),
    };
    yield traceRun(all, { ...facts, task: inputText(fieldOf(root.value, 'inputs')) }, options);
  }
}

function runsIn({ value, at }: FoundValue): FoundValue[] {
  const runs = listOf(value, 'runs');
  return runs.length > 0 ? spreadLists([{ value: runs, at }], 'runs') : spreadLists([{ value, at }]);
}

/** Runs that were read with their children inside. */
function withChildren({ value, at }: FoundValue): FoundValue[] {
  const found: FoundValue[] = [];
  const waiting: FoundValue[] = [{ value, at }];
  for (let next = waiting.pop(); next; next = waiting.pop()) {
    found.push(next);
    const place = next.at;
    waiting.push(...listOf(next.value, 'child_runs').map((child) => ({ value: child, at: place })));
  }
  return found;
}

function isRun(value: unknown): boolean {
  return textOf(value, 'id') !== undefined && textOf(value, 'run_type') !== undefined;
}

/** `dotted_order` holds the start of each run, to the microsecond, and of those around it. */
function inOrder(spans: readonly (Span & { order: string })[]): readonly Span[] {
  return spans.toSorted((one, other) => (one.order < other.order ? -1 : one.order > other.order ? 1 : 0));
}

function toSpan(run: unknown, at: FoundValue['at']): Span & { order: string } {
  const id = textOf(run, 'id') ?? '';
  const kind = { llm: 'model', tool: 'tool' }[textOf(run, 'run_type') ?? ''] as Span['kind'] | undefined;
  const name = textOf(run, 'name');
  const output = outputOf(fieldOf(run, 'outputs'));
  const error = textOf(run, 'error');
  const metadata = fieldOf(run, 'extra', 'metadata');
  const order = textOf(run, 'dotted_order') ?? textOf(run, 'start_time') ?? '';
  return {
    id,
    traceId: textOf(run, 'trace_id') ?? order.split('.')[0]?.split('Z')[1] ?? id,
    parentId: textOf(run, 'parent_run_id') ?? undefined,
    kind: kind ?? 'other',
    agent: langGraphAgent(metadata) ?? (kind === undefined && mayBeAgent(name) ? name : undefined),
    start: timeOf(textOf(run, 'start_time')),
    end: timeOf(textOf(run, 'end_time')),
    input: inputOf(fieldOf(run, 'inputs')),
    output,
    ...(kind === 'tool' && { call: callOf(run, name ?? 'tool') }),
    error,
    usage: usageOf(run) ?? usageOf(fieldOf(run, 'outputs', 'llm_output', 'token_usage')),
    at,
    order,
  };
}

function inputOf(inputs: unknown): Span['input'] {
  const prompts = listOf(inputs, 'prompts').map((prompt) => message('user', shown(prompt)));
  return prompts.length > 0 ? prompts : readMessages(inputs);
}

/** `generations` of LangChain's models, `choices` of OpenAI's, or messages. */
function outputOf(outputs: unknown): Span['output'] {
  const generations = listOf(outputs, 'generations').flat();
  if (generations.length > 0) {
    return generations.flatMap((generation) => {
      const said = readMessages(fieldOf(generation, 'message'));
      return said.length > 0 ? said : [message('agent', shown(fieldOf(generation, 'text')))];
    });
  }
  const choices = listOf(outputs, 'choices').map((choice) => fieldOf(choice, 'message'));
  return readMessages(choices.length > 0 ? choices : (fieldOf(outputs, 'output') ?? outputs));
}

function callOf(run: unknown, name: string): SpanCall {
  const outputs = fieldOf(run, 'outputs');
  const [result] = outputOf(outputs);
  const input = fieldOf(run, 'inputs', 'input') ?? fieldOf(run, 'inputs');
  const isEmpty = !isObject(outputs) || Object.keys(outputs).length === 0;
  const raw = fieldOf(outputs, 'output') ?? (isEmpty ? undefined : outputs);
  const isError = result?.isError === true;
  return {
    id: result?.toolCallId ?? textOf(run, 'extra', 'tool_call_id') ?? textOf(input, 'id'),
    name,
    ...toArgs(fieldOf(input, 'args') ?? input),
    result: result?.role === 'tool' ? result.content : raw === undefined ? undefined : shown(raw),
    ...(isError && { isError }),
  };
}

function inputText(inputs: unknown): string | undefined {
  const texts = ['input', 'question', 'query', 'task', 'prompt'].map((name) => textOf(inputs, name));
  return texts.find(Boolean) ?? (isObject(inputs) ? shown(inputs) : undefined);
}

/** LangSmith's API leaves out the zone: it is UTC. */
function timeOf(text: string | undefined): number | undefined {
  const time = Date.parse(
    text === undefined || /Z|[+-]\d\d:?\d\d$/.test(text) ? (text ?? '') : `${text.replace(' ', 'T')}Z`,
  );
  return Number.isFinite(time) ? time : undefined;
}
