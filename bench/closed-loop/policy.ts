import { z } from 'zod';

const tries = z.int().min(1).max(20);

/**
 * What is done about alarms.
 * - `none`: nobody audits. More than one try is plain resampling: the task is done that often whatever came of it.
 * - `halt`: an alarm ends the run, which then counts as not solved; the rest of its cost is saved.
 * - `rerun`: a halted run is started again, at most `tries` in all and, with a `budget`, only while less than that is spent on the task.
 * - `recover`: the run goes back to before the blamed step and does it again with a hint, at most `recoveries` times; the
 *   next alarm halts it.
 */
export const policySchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none'), tries }),
  z.strictObject({ kind: z.literal('halt') }),
  z.strictObject({ kind: z.literal('rerun'), tries, budget: z.number().positive().optional() }),
  z.strictObject({ kind: z.literal('recover'), recoveries: z.int().min(1).max(20) }),
]);

export type Policy = Readonly<z.infer<typeof policySchema>>;

export type PolicyKind = Policy['kind'];

/** One that audits. */
export type AuditingPolicy = Exclude<Policy, { kind: 'none' }>;

export function policyTitle(policy: Policy): string {
  switch (policy.kind) {
    case 'none':
      return 'no auditor';
    case 'halt':
      return 'halt';
    case 'rerun':
      return `halt and rerun, ${policy.tries} tries`;
    case 'recover':
      return `recover with hint, ${policy.recoveries} times`;
  }
}
