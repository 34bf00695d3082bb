import { z } from 'zod';
import type { ReadOptions, ToolSpec } from '../../../core/index.js';
import { quirksOf } from '../../quirks/check.js';
import { runChecks } from '../../quirks/run-checks.js';
import type { RecordedRun } from '../../recorded-run.js';
import type { SampleTurn } from '../../sample.js';
import { toToolCall } from '../conversation/read-calls.js';
import type { FoundValue } from '../json-values.js';
import { toolsIn } from '../openai-messages.js';
import { within } from '../refuse.js';
import { sourceOf } from '../run-name.js';
import { requireTurnSize } from '../turn-size.js';

const count = z.int().nonnegative();

const resultSchema = z.object({ source_call_id: z.string().nullable(), content: z.string() });

const stepSchema = z.object({
  source: z.enum(['user', 'agent', 'system']),
  timestamp: z.iso.datetime().optional(),
  message: z.string(),
  reasoning_content: z.string().optional(),
  tool_calls: z.array(z.unknown()).default([]),
  observation: z.object({ results: z.array(resultSchema) }).optional(),
  extra: z.object({
    agent: z.string().min(1),
    turns: z.array(count).min(1),
    kind: z.enum(['tool', 'handoff', 'state']).optional(),
    handoff_to: z.string().optional(),
    action: z.string().optional(),
  }),
});

type Step = z.output<typeof stepSchema>;

const labelSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('safe') }),
  z.object({
    kind: z.literal('unsafe'),
    step: count,
    agent: z.string().min(1),
    reason: z.string().optional(),
    source: z.enum(['injected', 'natural']).optional(),
  }),
]);

const trajectorySchema = z.object({
  session_id: z.string().min(1),
  agent: z.object({ extra: z.object({ tools: z.array(z.unknown()) }) }),
  steps: z.array(stepSchema).min(1),
  extra: z.object({
    task: z.string(),
    domain: z.string().optional(),
    reference: z.string().optional(),
    label: labelSchema.optional(),
    split: z.enum(['train', 'test']).optional(),
    group: z.string().optional(),
  }),
});

/**
 * A run that our own exporter wrote, turn by turn: its label counts turns, and a step of ATIF holds a call with its results.
 * What ATIF has no word for is lost: a tool's turn speaks under its caller's name.
 * @returns undefined where it is anybody else's trajectory, or its steps do not add up to turns
 */
export function exportedRun({ value, at }: FoundValue, options: ReadOptions): RecordedRun | undefined {
  const parsed = trajectorySchema.safeParse(value);
  if (!parsed.success) return undefined;
  const { session_id: runId, steps, agent, extra } = parsed.data;
  const turns = steps.flatMap(turnsOf);
  const places = steps.flatMap((step) => step.extra.turns);
  const { label } = extra;
  const isWhole = places.length === turns.length && places.every((place, index) => place === index);
  if (!isWhole || (label?.kind === 'unsafe' && label.step >= turns.length)) return undefined;
  for (const [index, { content, thought = '', toolCalls = [], action = '' }] of turns.entries()) {
    const texts = {
      content,
      thought,
      action,
      toolCalls: toolCalls.length > 0 ? JSON.stringify(toolCalls) : '',
    };
    requireTurnSize(at.file, within(at, `turns[${index}]`).field as string, texts, options);
  }
  const tools: readonly ToolSpec[] = toolsIn({ tools: agent.extra.tools });
  const run = { runId, source: sourceOf(at), tools, turns, ...extra };
  return { ...run, quirks: quirksOf(runChecks, run) };
}

/** The turn that a step tells, then those of the results that its calls have got. */
function turnsOf(step: Step): readonly SampleTurn[] {
  const { source, message, reasoning_content: thought, extra, timestamp } = step;
  const { agent, kind = 'tool', handoff_to: handoffTo, action } = extra;
  const results = step.observation?.results ?? [];
  const common = {
    agent,
    ...(timestamp !== undefined && { at: Date.parse(timestamp) }),
    ...(handoffTo !== undefined && { handoffTo }),
    ...(action !== undefined && { action }),
  };
  if (source === 'user') return [{ ...common, kind: 'user', content: message }];
  if (source === 'system') return results.map(({ content }) => ({ ...common, kind, content }));
  const toolCalls = step.tool_calls.map((call) => toToolCall(call));
  const told: SampleTurn = {
    ...common,
    kind: 'agent',
    content: message,
    ...(thought !== undefined && { thought }),
    ...(toolCalls.length > 0 && { toolCalls }),
  };
  return [
    told,
    ...results.map(({ source_call_id: toolCallId, content }) => ({
      agent,
      kind: 'tool' as const,
      content,
      ...resultOf(toolCallId, toolCalls),
    })),
  ];
}

function resultOf(toolCallId: string | null, calls: SampleTurn['toolCalls']) {
  const call = toolCallId === null ? undefined : calls?.find(({ id }) => id === toolCallId);
  return call ? { toolCallId: call.id, toolName: call.name } : {};
}
