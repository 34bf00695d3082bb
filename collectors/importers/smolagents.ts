import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { message } from './conversation/message.js';
import { callsIn } from './conversation/read-calls.js';
import { readParts } from './conversation/read-parts.js';
import { usageOf } from './conversation/read-usage.js';
import { RunBuilder } from './conversation/run-builder.js';
import type { Importer } from './importer.js';
import { fieldOf, listOf, shown, textOf } from './json-object.js';
import { type FoundValue, jsonValues } from './json-values.js';
import { refuse, within } from './refuse.js';
import { runName, sourceOf } from './run-name.js';

/** smolagents: the steps of an agent's memory (`get_full_steps`, `get_succinct_steps`), or a RunResult that holds them. */
export const smolAgentsImporter: Importer = {
  format: 'smolagents',
  title: 'smolagents',
  recognises: (first) => stepsIn({ value: first, at: { file: '' } }).some(({ value }) => isOwn(value)),
  read: readSmolAgents,
};

export async function* readSmolAgents(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  const found = await jsonValues(path, options);
  const lines = found.length > 1 && found.every(({ value }) => isStep(value));
  for (const steps of lines ? [found] : found.map(stepsIn)) {
    const bad = steps.find(({ value }) => !isStep(value));
    if (bad || steps.length === 0) {
      refuse(bad?.at ?? { file: path, field: 'steps' }, 'no step of smolagents', options);
      continue;
    }
    const line = steps[0]?.at.line;
    const place = { file: path, ...(line !== undefined && !lines && { line }) };
    const builder = new RunBuilder(options);
    for (const { value, at } of steps) tell(builder, value, at);
    yield builder.finish({ runId: runName(place), source: sourceOf(place) });
  }
}

function stepsIn({ value, at }: FoundValue): FoundValue[] {
  const field = Array.isArray(value) ? '' : 'steps';
  const steps = Array.isArray(value) ? value : listOf(value, 'steps');
  return steps.map((step: unknown, index) => ({ value: step, at: within(at, `${field}[${index}]`) }));
}

const isTask = (step: unknown) => typeof fieldOf(step, 'task') === 'string';
const isPlan = (step: unknown) => typeof fieldOf(step, 'plan') === 'string';
const isPrompt = (step: unknown) => typeof fieldOf(step, 'system_prompt') === 'string';
const isAnswer = (step: unknown) =>
  fieldOf(step, 'final_answer') !== undefined || fieldOf(step, 'output') !== undefined;
const isAction = (step: unknown) => typeof fieldOf(step, 'step_number') === 'number';
const isStep = (step: unknown) => [isTask, isPlan, isPrompt, isAction, isAnswer].some((is) => is(step));

/** Kinds of steps that no other format has. */
function isOwn(step: unknown): boolean {
  const timed = fieldOf(step, 'timing') !== undefined || fieldOf(step, 'duration') !== undefined;
  return (isAction(step) || isPlan(step)) && (timed || fieldOf(step, 'model_output') !== undefined);
}

/** The file names no agent, but for managed ones in the calls that ask them: all its words are one agent's. */
const AGENT = 'agent';

function tell(builder: RunBuilder, step: unknown, at: FoundValue['at']): void {
  const start = fieldOf(step, 'timing', 'start_time') ?? fieldOf(step, 'start_time');
  const seconds = fieldOf(step, 'timing', 'duration') ?? fieldOf(step, 'duration');
  const told = {
    at,
    agent: AGENT,
    usage: usageOf(fieldOf(step, 'token_usage')),
    ...(typeof start === 'number' && { time: Math.round(start * 1000) }),
    ...(typeof seconds === 'number' && { durationMs: Math.round(seconds * 1000) }),
  };
  if (isTask(step)) builder.tell(message('user', shown(fieldOf(step, 'task'))), { at });
  else if (isPlan(step)) builder.tell(message('agent', shown(fieldOf(step, 'plan'))), told);
  else if (isAction(step)) tellAction(builder, step, told);
  else if (isAnswer(step)) {
    const answer = shown(fieldOf(step, 'final_answer') ?? fieldOf(step, 'output'));
    if (builder.turns.at(-1)?.content !== answer) builder.tell(message('agent', answer), told);
  }
}

/** What the model said, its calls, and what came of them: one observation for all of its calls together, or an error. */
function tellAction(builder: RunBuilder, step: unknown, told: Parameters<RunBuilder['tell']>[1]): void {
  const own = callsIn(step);
  const asked = own.length > 0 ? own : callsIn(fieldOf(step, 'model_output_message'));
  // A code agent's arguments are code.
  const toolCalls = asked.map(({ id, name, args }) => ({ id, name, args }));
  const said = fieldOf(step, 'model_output') ?? fieldOf(step, 'model_output_message', 'content');
  const { content, unknownParts } = readParts(said);
  builder.tell(message('agent', content, { toolCalls, unknownParts }), told);
  const observed = textOf(step, 'observations');
  const fault = fieldOf(step, 'error');
  const outcome = [
    ...(observed === undefined ? [] : [{ content: observed, isError: false }]),
    ...(fault ? [{ content: textOf(fault, 'message') ?? shown(fault), isError: true }] : []),
  ];
  const open = toolCalls.length > 1 ? toolCalls : toolCalls.slice(0, 1);
  if (open.length > 1 && outcome.length > 0)
    builder.note('shared-observation', `${open.length} calls share one observation`);
  for (const { content: text, isError } of outcome) {
    const [first] = open;
    const isSecond = outcome.length > 1 && isError;
    builder.tell(
      message('tool', text, {
        ...(first && !isSecond && { toolCallId: first.id, toolName: first.name }),
        ...(isError && { isError }),
      }),
      { at: told.at, agent: AGENT },
    );
  }
  if (outcome.length > 0) builder.closeCalls(open.slice(1).map(({ id }) => id));
}
