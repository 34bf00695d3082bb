import { z } from 'zod';

/** Every column of Parquet is nullable by default; a null text is an empty one. */
const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

/** INT64 is read as bigint. */
const step = z.union([z.bigint(), z.number()]).transform(Number).pipe(z.int().nonnegative());

const turnSchema = z.object({
  role: z.string().min(1),
  thought: text,
  action: text,
  content: text,
});

const toolSchema = z.object({ name: z.string(), description: text });

/** One row of AFTraj. The `mistake_*` columns and `unsafe_source` stand in the file of unsafe runs only. */
export const afTrajRowSchema = z.object({
  conv_id: z.string().min(1),
  domain: z.string(),
  task: z.string(),
  gold_answer: text,
  num_turns: step.nullish(),
  tools: z.array(toolSchema).nullish(),
  turns: z.array(turnSchema).min(1, 'a run without turns'),
  mistake_step: step.nullish(),
  mistake_agent: z.string().min(1).nullish(),
  mistake_reason: text,
  unsafe_source: z.enum(['injected', 'diagnosed']).nullish(),
});

export type AfTrajRow = z.output<typeof afTrajRowSchema>;
export type AfTrajRowTurn = AfTrajRow['turns'][number];

export const REQUIRED_COLUMNS = ['conv_id', 'domain', 'task', 'tools', 'turns'] as const;
export const LABEL_COLUMNS = ['mistake_step', 'mistake_agent', 'mistake_reason', 'unsafe_source'] as const;
export const OPTIONAL_COLUMNS = ['num_turns', 'gold_answer'] as const;
