import { z } from 'zod';
import type { JsonValue } from '../../core/index.js';
import type { SampleTurn } from '../sample.js';

/** What a model is asked to give for a turn: what it says and which arguments its calls have, and nothing that identifies it. */
export const writtenTurnSchema = z.object({
  thought: z.string().nullish(),
  content: z.string(),
  /** In the order of the calls. */
  calls: z
    .array(z.object({ name: z.string(), args: z.custom<JsonValue>((value) => value !== undefined) }))
    .nullish(),
});

export type WrittenTurn = z.infer<typeof writtenTurnSchema>;

/** The turn that stood there, with other words: agent, kind, place and the ids of its calls are the original's. */
export function inPlaceOf(original: SampleTurn, written: WrittenTurn): SampleTurn {
  // AFTraj's raw text of the calls would still say what they said before; the time they took is theirs, too.
  const {
    action: _action,
    usage: _usage,
    durationMs: _durationMs,
    thought: _thought,
    toolCalls = [],
    ...kept
  } = original;
  const calls = (written.calls ?? []).map(({ name, args }, at) => ({
    id: toolCalls[at]?.id ?? `call-${at}`,
    name,
    args,
  }));
  return {
    ...kept,
    content: written.content,
    ...(written.thought ? { thought: written.thought } : {}),
    ...(calls.length > 0 ? { toolCalls: calls } : {}),
  };
}
