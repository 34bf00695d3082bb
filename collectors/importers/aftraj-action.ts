import { z } from 'zod';
import type { JsonValue, ToolCall } from '../../core/index.js';

/** `id` is left out in the agentic runs, whose `arguments` are Python code and no JSON. */
const actionCallsSchema = z.array(
  z.object({ name: z.string(), arguments: z.unknown(), id: z.string().optional() }),
);

/** The calls of an `action` that is a JSON array of them, still with their arguments' text; undefined when it is anything else. */
export function actionCalls(action: string): z.output<typeof actionCallsSchema> | undefined {
  if (!action.trimStart().startsWith('[')) return undefined;
  const parsed = actionCallsSchema.safeParse(jsonOrNothing(action));
  return parsed.success ? parsed.data : undefined;
}

/**
 * The tool calls of AFTraj's `action`. What is no JSON array of calls (`delegate(search_agent, task="…")`,
 * `[ThoughtEvent]`, a Python literal) is kept whole as the arguments of one call named `action`.
 */
export function toToolCalls(action: string): readonly ToolCall[] {
  if (action === '') return [];
  const calls = actionCalls(action);
  return calls?.map(toToolCall) ?? [{ id: '', name: 'action', args: action }];
}

function toToolCall({
  name,
  arguments: args,
  id = '',
}: {
  name: string;
  arguments: unknown;
  id?: string | undefined;
}) {
  if (typeof args !== 'string') return { id, name, args: (args ?? null) as JsonValue };
  const parsed = jsonOrNothing(args);
  if (parsed !== undefined) return { id, name, args: parsed };
  return { id, name, args, error: 'the arguments are not JSON' };
}

/** Nothing also for JSON that is nested too deep to be written again: whoever records the run would fall over it. */
export function jsonOrNothing(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    JSON.stringify(value);
    return value;
  } catch {
    return undefined;
  }
}
