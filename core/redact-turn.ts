import { z } from 'zod';
import { toJsonValue } from './json.js';
import type { Redactor } from './redact.js';
import type { UnplacedTurn } from './trajectory.js';
import { type ToolCall, toolCallSchema } from './turn.js';

export const DROPPED = '[dropped: the redactor failed]';

/** The captured text of a turn. Ids, places and times are ours or the host's handles, and linking needs them intact. */
const capturedSchema = z.object({
  agent: z.string().min(1),
  content: z.string(),
  thought: z.string().optional(),
  toolName: z.string().optional(),
  handoffTo: z.string().optional(),
  toolCalls: z.array(toolCallSchema.omit({ id: true })).optional(),
});

/**
 * Redacts every captured field of a turn, as a copy that shares nothing with the host's objects.
 * @param onFailure told why, when the redactor threw or changed the shape; text, thought and arguments are then dropped
 */
export function redactTurn(
  turn: UnplacedTurn,
  redactor: Redactor,
  onFailure: (cause: unknown) => void,
): UnplacedTurn {
  const { agent, content, thought, toolName, handoffTo, toolCalls } = turn;
  const calls = toolCalls?.map(({ name, args, error }) => ({ name, args, error }));
  try {
    const captured = toJsonValue({ agent, content, thought, toolName, handoffTo, toolCalls: calls });
    const redacted = capturedSchema.parse(redactor.redact(captured));
    if (redacted.toolCalls?.length !== toolCalls?.length)
      throw new Error('the redactor changed the number of tool calls');
    return {
      ...turn,
      // One by one: a field that the redactor took out must not come back from the turn.
      agent: redacted.agent,
      content: redacted.content,
      thought: redacted.thought,
      toolName: redacted.toolName,
      handoffTo: redacted.handoffTo,
      toolCalls: redacted.toolCalls?.map((call, i): ToolCall => ({ id: toolCalls?.[i]?.id ?? '', ...call })),
    };
  } catch (cause) {
    onFailure(cause);
    return {
      ...turn,
      content: DROPPED,
      thought: thought === undefined ? undefined : DROPPED,
      toolCalls: toolCalls?.map(({ id, name }) => ({ id, name, args: DROPPED })),
    };
  }
}

/** The same for a single text, such as the task or a host's error. */
export function redactText(text: string, redactor: Redactor, onFailure: (cause: unknown) => void): string {
  try {
    return z.string().parse(redactor.redact(text));
  } catch (cause) {
    onFailure(cause);
    return DROPPED;
  }
}

/** The same for any value, as JSON text: redacted before it becomes text, so that field names still tell. */
export function redactToJson(
  value: unknown,
  redactor: Redactor,
  onFailure: (cause: unknown) => void,
): string {
  try {
    return z.string().parse(JSON.stringify(redactor.redact(toJsonValue(value))));
  } catch (cause) {
    onFailure(cause);
    return DROPPED;
  }
}
