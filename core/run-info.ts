import { z } from 'zod';
import { turnInputSchema } from './turn.js';

export const toolSpecSchema = z.object({ name: z.string(), description: z.string().optional() });

/** What a plugin knows of a run when it opens a session. */
export const runInfoSchema = z.object({
  runId: z.string().min(1),
  task: z.string(),
  tools: z.array(toolSpecSchema).readonly().optional(),
  /** The plugin's `framework`. */
  framework: z.string().optional(),
  /** Turns that were there before the run: a chat's history, or the state a resumed graph starts from. Default: the task as turn 0. */
  given: z.array(turnInputSchema).readonly().optional(),
  /** The earlier run whose turns `given` repeats, when this one takes up a halted or interrupted run. */
  continues: z.string().optional(),
});

export type ToolSpec = Readonly<z.infer<typeof toolSpecSchema>>;
export type RunInfo = Readonly<z.infer<typeof runInfoSchema>>;

/** How the host's run ended. `halted` is ours; `aborted` is the caller's; `interrupted` waits for a human. */
export const outcomeSchema = z.object({
  status: z.enum(['completed', 'halted', 'failed', 'aborted', 'interrupted']),
  error: z.string().optional(),
});

export type Outcome = Readonly<z.infer<typeof outcomeSchema>>;
