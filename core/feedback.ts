import { z } from 'zod';

/** What is said of a run once its result has been used. */
export const feedbackSchema = z.object({
  /** 1 when the run did what was asked, else 0. */
  value: z.union([z.literal(0), z.literal(1)]),
  /** Who, or what: `"thumbs"`, `"support"`. */
  by: z.string().min(1),
  comment: z.string().optional(),
});

/** @example { value: 0, by: 'thumbs', comment: 'booked the wrong day' } */
export type Feedback = Readonly<z.infer<typeof feedbackSchema>>;
