/**
 * Exact-F1 of first alarms, 0 to 1: the harmonic mean of recall `exact / unsafe` and precision `exact / alarms`, which is
 * 2 exact / (unsafe + alarms). With `alarms` those on unsafe runs it is the paper's (arXiv 2605.08715), with those on safe
 * runs besides, the released code's.
 * @param exact alarms at exactly the labelled step
 */
export function exactF1(exact: number, unsafe: number, alarms: number): number {
  return unsafe + alarms === 0 ? 0 : (2 * exact) / (unsafe + alarms);
}
