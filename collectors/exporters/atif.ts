import { type JsonValue, type ToolCall, toJsonValue } from '../../core/index.js';
import type { Sample, SampleTurn } from '../sample.js';
import { writeJsonLines } from './json-lines.js';

/** The first version that has all that is written here. */
const VERSION = 'ATIF-v1.4';

/** A date can say no more. Milliseconds. */
const LATEST = 8.64e15;

/**
 * Writes samples in the Agent Trajectory Interchange Format, one trajectory a line. A tool's result is part of the step that
 * called it, so steps are fewer than turns: `extra.turns` of a step says which turns it holds, 0-based, and `extra.label.step` of
 * the trajectory counts turns. @returns how many
 * @see https://github.com/laude-institute/harbor/blob/main/docs/rfcs/0001-trajectory-format.md
 */
export function exportAtif(samples: AsyncIterable<Sample>, path: string): Promise<number> {
  return writeJsonLines(path, trajectories(samples));
}

async function* trajectories(samples: AsyncIterable<Sample>): AsyncGenerator<object> {
  for await (const sample of samples) yield toAtif(sample);
}

export interface AtifStep {
  readonly step_id: number;
  readonly source: 'system' | 'user' | 'agent';
  readonly timestamp?: string;
  readonly message: string;
  readonly reasoning_content?: string;
  readonly tool_calls?: readonly AtifCall[];
  readonly observation?: { readonly results: AtifResult[] };
  readonly extra: { readonly agent: string; readonly turns: number[]; readonly [more: string]: unknown };
}

interface AtifCall {
  readonly tool_call_id: string;
  readonly function_name: string;
  readonly arguments: Readonly<Record<string, JsonValue>>;
}

interface AtifResult {
  readonly source_call_id: string | null;
  readonly content: string;
}

/** One trajectory; `label`, `reference` and what else ATIF has no word for stand under `extra`. */
export function toAtif(sample: Sample): {
  readonly steps: readonly AtifStep[];
  readonly [field: string]: unknown;
} {
  const { id, task, tools, domain, reference, label, outcome, split, group, provenance } = sample;
  const agents = [...new Set(sample.turns.filter(({ kind }) => kind === 'agent').map(({ agent }) => agent))];
  return {
    schema_version: VERSION,
    session_id: id,
    agent: { name: provenance.format, version: 'unknown', extra: { agents, tools } },
    steps: toSteps(sample.turns),
    extra: { task, domain, reference, label, outcome, split, group, provenance },
  };
}

function toSteps(turns: readonly SampleTurn[]): readonly AtifStep[] {
  const steps: AtifStep[] = [];
  for (const [index, turn] of turns.entries()) {
    const calling = steps.at(-1);
    if (turn.kind === 'tool' && calling?.source === 'agent' && calling.observation) {
      calling.observation.results.push(toResult(turn, calling));
      calling.extra.turns.push(index);
    } else steps.push(toStep(turn, index, steps.length + 1));
  }
  // A step that has called nothing, or got no answer, has observed nothing.
  return steps.map((step) => {
    if (step.observation?.results.length !== 0) return step;
    const { observation: _observation, ...others } = step;
    return others;
  });
}

function toStep(turn: SampleTurn, index: number, stepId: number): AtifStep {
  const { agent, kind, thought, content, toolCalls = [], handoffTo, action, at } = turn;
  const extra = {
    agent,
    turns: [index],
    ...(kind !== 'agent' && kind !== 'user' && { kind }),
    ...(handoffTo !== undefined && { handoff_to: handoffTo }),
    ...(action !== undefined && { action }),
  };
  const step = {
    step_id: stepId,
    ...(at !== undefined && Math.abs(at) <= LATEST && { timestamp: new Date(at).toISOString() }),
  };
  if (kind === 'user') return { ...step, source: 'user', message: content, extra };
  if (kind !== 'agent') {
    const result = { source_call_id: null, content };
    return { ...step, source: 'system', message: '', observation: { results: [result] }, extra };
  }
  return {
    ...step,
    source: 'agent',
    message: content,
    ...(thought !== undefined && { reasoning_content: thought }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map((call, at) => toCall(call, index, at)) }),
    observation: { results: [] },
    extra,
  };
}

/** Arguments must be an object there; whatever else they are stands under `value`. */
function toCall({ id, name, args }: ToolCall, turn: number, at: number): AtifCall {
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args);
  return {
    tool_call_id: id || `turn-${turn}-call-${at}`,
    function_name: name,
    arguments: isObject ? (args as Record<string, JsonValue>) : { value: toJsonValue(args) },
  };
}

/** A result may name a call of its own step only. */
function toResult({ toolCallId, content }: SampleTurn, { tool_calls = [] }: AtifStep): AtifResult {
  const isKnown = tool_calls.some(({ tool_call_id }) => tool_call_id === toolCallId);
  return { source_call_id: isKnown ? (toolCallId as string) : null, content };
}
