import type { AuditRecord } from '../record.js';
import type { Recorder } from '../recorder.js';

/** Keeps every record in memory: for tests, and for looking at one run. It grows without bound. */
export function memoryRecorder(): Recorder & { readonly records: readonly AuditRecord[] } {
  const records: AuditRecord[] = [];
  return {
    records,
    append: async (record) => {
      records.push(structuredClone(record));
    },
  };
}
