import { z } from 'zod';
import type { JsonValue } from './json.js';
import { turnInputSchema } from './turn.js';

/** `parameters`: the JSON Schema of the tool's arguments, where the host tells it. */
export const toolSpecSchema = z.object({
  name: z.string(),
  description: z.string().optional(),
  parameters: z
    .custom<{ readonly [key: string]: JsonValue } | undefined>(isPlainObject)
    .optional()
    .catch(undefined),
});

/** A host's tool may hold something else under this name, such as an instance of zod's: that is none. */
function isPlainObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** What a plugin knows of a run when it opens a session. */
export const runInfoSchema = z.object({
  runId: z.string().min(1),
  task: z.string(),
  tools: z.array(toolSpecSchema).readonly().optional(),
  /** The plugin's `framework`. */
  framework: z.string().optional(),
  /** The host's own id of the conversation, by which its saved state is found. */
  thread: z.string().optional(),
  /** The halted or interrupted run that this one takes up, and its turns. They stand in the log under that run's id. */
  continues: z
    .object({
      runId: z.string().min(1),
      turns: z.array(turnInputSchema).readonly(),
      /** How often the run went back to before a blamed step, this time included. */
      recoveries: z.int().nonnegative().optional(),
      /** Ids of that run's turns that are not among `turns`: going back has undone them, or they are submitted again. */
      undone: z.array(z.string()).readonly().optional(),
    })
    .optional(),
  /** Ids of turns that an alarm blamed before: who takes the run up all the same has overridden it. */
  overridden: z.array(z.string()).readonly().optional(),
  /** Ids of earlier turns before which the host can still go back. It can go back to before any of the run's own. */
  revisable: z.array(z.string()).readonly().optional(),
  /** What the host can do about an alarm, beside halting. Default: nothing. */
  can: z
    .array(z.enum(['pause', 'recover']))
    .readonly()
    .optional(),
  /**
   * Turns that were there before the run's own: a chat's history, the user's new word. Default: the task as turn 0,
   * unless the run continues another.
   */
  given: z.array(turnInputSchema).readonly().optional(),
});

export type ToolSpec = Readonly<z.infer<typeof toolSpecSchema>>;
export type RunInfo = Readonly<z.infer<typeof runInfoSchema>>;

/**
 * How the host's run ended. `halted` is ours; `aborted` is the caller's. `interrupted` waits for a human whom the host
 * asked, `paused` for one whom we ask.
 */
export const outcomeSchema = z.object({
  status: z.enum(['completed', 'halted', 'failed', 'aborted', 'interrupted', 'paused']),
  error: z.string().optional(),
});

export type Outcome = Readonly<z.infer<typeof outcomeSchema>>;
