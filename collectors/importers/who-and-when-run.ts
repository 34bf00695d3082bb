import { z } from 'zod';

/** A string in the published files, an integer in other corpora. */
const stepSchema = z.union(
  [
    z.int().nonnegative(),
    z
      .string()
      .regex(/^\s*\d{1,9}\s*$/)
      .transform(Number),
  ],
  'no step number, neither as an integer nor as text',
);

const turnSchema = z
  .looseObject({
    content: z.string(),
    role: z.string().nullish(),
    name: z.string().nullish(),
  })
  .refine(({ name, role }) => Boolean(name?.trim() || role?.trim()), {
    path: ['role'],
    message: 'no speaker',
  });

/** One published file. Fields that it does not name are let through: corpora of this shape add their own. */
export const whoAndWhenRunSchema = z.looseObject({
  question: z.string(),
  history: z.array(turnSchema).min(1, 'a run without turns'),
  mistake_step: stepSchema.nullish(),
  mistake_agent: z.string().min(1).nullish(),
  mistake_reason: z.string().nullish(),
  is_correct: z.boolean().nullish(),
});

export type WhoAndWhenRun = z.output<typeof whoAndWhenRunSchema>;
export type WhoAndWhenTurn = WhoAndWhenRun['history'][number];
export type WhoAndWhenHalf = 'algorithm-generated' | 'hand-crafted';

/** Turns of the algorithm-generated half carry a `name`; those of the hand-crafted half speak through `role`. */
export function halfOf(run: WhoAndWhenRun): WhoAndWhenHalf {
  return run.history.some(({ name }) => name?.trim()) ? 'algorithm-generated' : 'hand-crafted';
}

/** `role` is one chat's view (`user`, `assistant`) wherever a turn has a `name`. */
export function speakerOf({ name, role }: WhoAndWhenTurn): string {
  return name?.trim() ? name : (role ?? '');
}
