import type { ReadOptions } from '../../core/index.js';
import type { RecordedRun } from '../recorded-run.js';
import { exportedRun } from './atif/exported-run.js';
import { message } from './conversation/message.js';
import { toToolCall } from './conversation/read-calls.js';
import { readParts, readResult } from './conversation/read-parts.js';
import { usageOf } from './conversation/read-usage.js';
import { RunBuilder } from './conversation/run-builder.js';
import type { Importer } from './importer.js';
import { fieldOf, isObject, listOf, textOf } from './json-object.js';
import { type FoundValue, jsonValues, spreadLists } from './json-values.js';
import { toolsIn } from './openai-messages.js';
import { refuse, within } from './refuse.js';
import { runName, sourceOf } from './run-name.js';

/** The Agent Trajectory Interchange Format of Harbor, versions 1.0 to 1.8. */
export const atifImporter: Importer = {
  format: 'atif',
  title: 'ATIF 1.x',
  recognises: (first) => isTrajectory(Array.isArray(first) ? first[0] : first),
  read: readAtif,
};

const SOURCES = new Set(['user', 'agent', 'system']);
/** An honest delegation is a few agents deep. */
const DEEPEST = 16;

/** One run for each trajectory; those of sub-agents stand inside, where they were delegated to. */
export async function* readAtif(path: string, options: ReadOptions = {}): AsyncGenerator<RecordedRun> {
  for (const { value, at } of spreadLists(await jsonValues(path, options))) {
    if (!isTrajectory(value)) {
      refuse(within(at, 'schema_version'), 'no trajectory of ATIF 1.x', options);
      continue;
    }
    const exported = exportedRun({ value, at }, options);
    if (exported) {
      yield exported;
      continue;
    }
    const builder = new RunBuilder(options);
    if (!tellTrajectory(builder, { value, at }, options)) continue;
    const runId = textOf(value, 'trajectory_id') ?? textOf(value, 'session_id') ?? runName(at);
    yield builder.finish({ runId, source: sourceOf(at), tools: toolsIn(fieldOf(value, 'agent')) });
  }
}

function isTrajectory(value: unknown): boolean {
  return /^ATIF-v1\.\d+$/.test(textOf(value, 'schema_version') ?? '');
}

function tellTrajectory(
  builder: RunBuilder,
  { value, at }: FoundValue,
  options: ReadOptions,
  depth = 0,
): boolean {
  const steps = listOf(value, 'steps');
  if (steps.length === 0) {
    refuse(within(at, 'steps'), 'a trajectory without steps', options);
    return false;
  }
  const agent = textOf(value, 'agent', 'name');
  for (const [index, step] of steps.entries()) {
    const place = within(at, `steps[${index}]`);
    const source = textOf(step, 'source') ?? '';
    if (!SOURCES.has(source)) {
      refuse(within(place, 'source'), 'neither user, nor agent, nor system', options);
      return false;
    }
    // What a sub-agent is asked stands in the call that delegates to it already.
    if (depth === 0 || source !== 'user') tellStep(builder, step, { at: place, agent, source });
    for (const result of listOf(step, 'observation', 'results')) {
      for (const ref of listOf(result, 'subagent_trajectory_ref'))
        tellSubAgent(builder, { value, at }, ref, options, depth);
      tellResult(builder, result, { at: within(place, 'observation'), agent });
    }
  }
  return true;
}

function tellStep(
  builder: RunBuilder,
  step: unknown,
  { source, ...told }: { at: FoundValue['at']; agent: string | undefined; source: string },
): void {
  if (source === 'system') return;
  const { content, unknownParts } = readParts(fieldOf(step, 'message'));
  const time = Date.parse(textOf(step, 'timestamp') ?? '');
  // Steps copied from the trajectory that this one continues were audited there.
  const given = fieldOf(step, 'is_copied_context') === true;
  builder.tell(
    message(source === 'user' ? 'user' : 'agent', content, {
      thought: textOf(step, 'reasoning_content'),
      toolCalls: listOf(step, 'tool_calls').map(toToolCall),
      unknownParts,
    }),
    {
      ...told,
      usage: usageOf(fieldOf(step, 'metrics')),
      ...(Number.isFinite(time) && { time }),
      ...(given && { given }),
    },
  );
}

function tellResult(
  builder: RunBuilder,
  result: unknown,
  told: { at: FoundValue['at']; agent: string | undefined },
): void {
  const read = readResult({
    ...(isObject(result) && result),
    tool_call_id: fieldOf(result, 'source_call_id'),
  });
  const isReference = fieldOf(result, 'content') === undefined || fieldOf(result, 'content') === null;
  if (isReference && read.toolCallId === undefined) return;
  builder.tell(read, told);
}

function tellSubAgent(
  builder: RunBuilder,
  { value, at }: FoundValue,
  ref: unknown,
  options: ReadOptions,
  depth: number,
): void {
  const id = textOf(ref, 'trajectory_id');
  const embedded = listOf(value, 'subagent_trajectories');
  const index = embedded.findIndex((one) => id !== undefined && textOf(one, 'trajectory_id') === id);
  if (index < 0 || depth >= DEEPEST) {
    builder.note(
      'missing-subagent',
      `the trajectory of a sub-agent (${id ?? 'in another file'}) is not here`,
    );
    return;
  }
  const place = within(at, `subagent_trajectories[${index}]`);
  tellTrajectory(builder, { value: embedded[index], at: place }, options, depth + 1);
}
