import { z } from 'zod';

/**
 * One level of a turn's place in the host's own task tree: `step` counts the supersteps of that level, `lane` names the
 * task within the step. Tasks that share a step run side by side; lanes sort by code unit, so a plugin zero-pads numbers.
 *
 * @example a turn of the second worker of a fan-out, inside the sub-graph `research`:
 * `[{ step: 1, lane: 'research' }, { step: 4, lane: 'worker/000001' }]`
 */
export const pathSegmentSchema = z.object({ step: z.int().nonnegative(), lane: z.string() });

/** Outermost level first. `[]` is the trunk: after everything submitted so far. */
export const turnPathSchema = z.array(pathSegmentSchema).readonly();

export type PathSegment = z.infer<typeof pathSegmentSchema>;
export type TurnPath = z.infer<typeof turnPathSchema>;

/** Whether two paths name the same task, so that what is said of one holds for the other. */
export function samePlace(one: TurnPath, other: TurnPath): boolean {
  return one.length === other.length && precedes(one, other) && precedes(other, one);
}

/**
 * Whether work at `earlier` has finished before work at `later` may begin, by their places alone. Two different lanes
 * of one step are concurrent: neither precedes the other. A place precedes itself (a task's turns come in order), and
 * an inner place precedes the task that contains it, since a container speaks after its children.
 */
export function precedes(earlier: TurnPath, later: TurnPath): boolean {
  for (const [depth, segment] of earlier.entries()) {
    const other = later[depth];
    if (other === undefined) return true;
    if (segment.step !== other.step) return segment.step < other.step;
    if (segment.lane !== other.lane) return false;
  }
  return true;
}
