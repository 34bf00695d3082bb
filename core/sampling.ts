/**
 * Whether a run is recorded, from its id alone: every process, and every part of a distributed run, decides alike.
 *
 * FNV-1a with a final mix (from MurmurHash3), since ids that differ in their last digit would otherwise land together.
 * @param rate share of runs to keep, 0 to 1
 */
export function sampled(runId: string, rate: number): boolean {
  let hash = 0x811c9dc5;
  for (let i = 0; i < runId.length; i++) hash = Math.imul(hash ^ runId.charCodeAt(i), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32 < rate;
}
