import { z } from 'zod';

/** P(alarm), 0 to 1, where the auditor can give one. */
const scoreSchema = z.number().min(0).max(1).optional();

/** Characters. The reason goes into an error's message; an auditor that answers with a whole trajectory is at fault. */
const LONGEST_REASON = 100_000;

export const continueSchema = z.object({ kind: z.literal('continue'), score: scoreSchema });

/** `step` and `agent` name the decisive error: the earliest step whose correction would have saved the run. */
export const alarmSchema = z.object({
  kind: z.literal('alarm'),
  step: z.int().nonnegative(),
  agent: z.string().min(1),
  reason: z.string().max(LONGEST_REASON),
  score: scoreSchema,
});

/** What an auditor says of a prefix. `alarm.step` counts within that prefix, 0-based. */
export const verdictSchema = z.discriminatedUnion('kind', [continueSchema, alarmSchema]);

export type Continue = Readonly<z.infer<typeof continueSchema>>;
export type Alarm = Readonly<z.infer<typeof alarmSchema>>;
export type Verdict = Continue | Alarm;
