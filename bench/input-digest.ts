import { hash } from 'node:crypto';
import type { BenchRun } from './bench-run.js';

/**
 * Tells whether a run still reads as it did: of all that an auditor is shown, and of no label. 64 bits, in hexadecimal; it
 * guards against files that were scrubbed or edited in between, and against no adversary.
 */
export function inputDigest({ run: { task, tools, turns } }: BenchRun): string {
  return hash('sha256', JSON.stringify([task, tools, turns]), 'hex').slice(0, 16);
}
