import type { AuditRecord } from './record.js';

/** Keeps the run log. */
export interface Recorder {
  /**
   * Resolves once the record is safe by the recorder's own promise (on disk, committed, sent): it is acknowledged.
   * Rejects when it was dropped. Records of one run arrive in order.
   */
  append(record: AuditRecord): Promise<void>;
}
