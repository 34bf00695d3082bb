import { z } from 'zod';
import type { JsonValue } from './json.js';
import { turnPathSchema } from './turn-path.js';

/**
 * UTF-8 bytes of one text of a turn that readers take without being asked to. The largest turn of AFTraj and Who&When has
 * under 0.1 MiB; one far above this is a dump put in by mistake.
 */
export const DEFAULT_MAX_TURN_BYTES = 32 * 2 ** 20;

/** `args` as the model gave them. `error` is set when the host could not parse the call: an *invalid* tool call. */
export const toolCallSchema = z.object({
  id: z.string(),
  name: z.string(),
  args: z.custom<JsonValue>((value) => value !== undefined),
  error: z.string().optional(),
});

/** Tokens, as the host reports them. */
export const usageSchema = z.object({
  inputTokens: z.number().nonnegative().optional(),
  outputTokens: z.number().nonnegative().optional(),
  cachedInputTokens: z.number().nonnegative().optional(),
});

/**
 * - `user`: the task, or a human's later word.
 * - `agent`: one model call's outcome: text, tool calls, or both.
 * - `tool`: one tool's result; `agent` is the agent that made the call.
 * - `handoff`: control passes to `handoffTo` without a model's message.
 * - `state`: a step that speaks no messages, such as a plain function node; `content` is its update as JSON.
 */
export const turnKindSchema = z.enum(['user', 'agent', 'tool', 'handoff', 'state']);

const turnFields = {
  /** Stable within the run, whatever is renumbered; submitting an id twice counts once. */
  id: z.string().min(1),
  agent: z.string().min(1),
  kind: turnKindSchema,
  thought: z.string().optional(),
  /** Whole, never shortened. */
  content: z.string(),
  toolCalls: z.array(toolCallSchema).readonly().optional(),
  /** On a `tool` turn: the call that it answers, and that tool's name. */
  toolCallId: z.string().optional(),
  toolName: z.string().optional(),
  isError: z.boolean().optional(),
  handoffTo: z.string().optional(),
  path: turnPathSchema,
  /** True for a turn that was there before this run began (a chat's history): part of every prefix, never audited. */
  given: z.boolean().optional(),
  /** Milliseconds since the epoch. */
  at: z.number(),
  durationMs: z.number().nonnegative().optional(),
  usage: usageSchema.optional(),
};

/** One turn of a trajectory. `index` is 0-based and contiguous; turn 0 is the task. */
export const turnSchema = z.object({ index: z.int().nonnegative(), ...turnFields });

/** What a plugin submits. Core fills in what is left out: the index, an id, the trunk as path, the time of day. */
export const turnInputSchema = z.object({
  ...turnFields,
  id: turnFields.id.optional(),
  path: turnFields.path.optional(),
  at: turnFields.at.optional(),
});

export type ToolCall = z.infer<typeof toolCallSchema>;
export type Usage = z.infer<typeof usageSchema>;
export type TurnKind = z.infer<typeof turnKindSchema>;
export type Turn = Readonly<z.infer<typeof turnSchema>>;
export type TurnInput = Readonly<z.infer<typeof turnInputSchema>>;

/** A turn in the four fields of AFTraj, the format of the AgentForesight paper's corpus. */
export interface AfTrajTurn {
  readonly role: string;
  readonly thought: string;
  readonly action: string;
  readonly content: string;
}

/**
 * Renders a turn as AFTraj does: a tool's result is spoken by `environment` and wrapped in a one-element JSON array, and
 * `action` holds the calls as a JSON array whose `arguments` are themselves JSON text.
 */
export function toAfTrajTurn(turn: TurnInput): AfTrajTurn {
  const calls = turn.toolCalls?.map(({ name, args, id }) => ({ name, arguments: JSON.stringify(args), id }));
  return {
    role: turn.kind === 'tool' ? 'environment' : turn.kind === 'user' ? 'user' : turn.agent,
    thought: turn.thought ?? '',
    action: calls?.length ? JSON.stringify(calls) : turn.handoffTo ? `transfer_to_${turn.handoffTo}` : '',
    content:
      turn.kind === 'tool' && turn.toolName !== undefined
        ? JSON.stringify([{ name: turn.toolName, result: turn.content, call_id: turn.toolCallId ?? '' }])
        : turn.content,
  };
}
