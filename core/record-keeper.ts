import { EXPIRED, within } from './deadline.js';
import { type Diagnostics, messageOf } from './diagnostics.js';
import type { AuditRecord } from './record.js';
import type { Recorder } from './recorder.js';

/** Records since the runtime was made. `pending` are neither acknowledged nor given up when the flush ran out of time. */
export interface FlushReport {
  readonly written: number;
  readonly dropped: number;
  readonly pending: number;
}

/** Counts what a recorder acknowledged and what it dropped, and keeps its faults away from the host. */
export class RecordKeeper {
  readonly #recorder: Recorder;
  readonly #patienceMs: number;
  readonly #diagnostics: Diagnostics;
  readonly #unsettled = new Set<Promise<void>>();
  /** Set while a recorder that kept the host waiting for too long has settled nothing since: it is not waited for again. */
  #stalled = false;
  #written = 0;
  #dropped = 0;

  constructor(recorder: Recorder, patienceMs: number, diagnostics: Diagnostics) {
    this.#recorder = recorder;
    this.#patienceMs = patienceMs;
    this.#diagnostics = diagnostics;
  }

  /** Resolves when the record is acknowledged, dropped, or has kept the host waiting for long enough. Never rejects. */
  async append(record: AuditRecord): Promise<void> {
    const runId = 'runId' in record ? record.runId : undefined;
    const settled = this.#hand(record).then(
      () => {
        this.#written++;
        this.#stalled = false;
      },
      (cause) => {
        this.#dropped++;
        this.#stalled = false;
        this.#diagnostics.report({ code: 'record-dropped', message: messageOf(cause), runId, cause });
      },
    );
    this.#unsettled.add(settled);
    settled.finally(() => this.#unsettled.delete(settled));
    if (this.#stalled) return;
    if ((await within(settled, this.#patienceMs)) === EXPIRED) {
      this.#stalled = true;
      const message = `a ${record.type} record was not acknowledged within ${this.#patienceMs} ms; the run goes on`;
      this.#diagnostics.report({ code: 'recorder-slow', message, runId });
    }
  }

  /** Waits for everything handed over so far, at most `timeoutMs`, and tells what became of it. */
  async flush(timeoutMs: number): Promise<FlushReport> {
    await within(Promise.all(this.#unsettled), timeoutMs);
    return { written: this.#written, dropped: this.#dropped, pending: this.#unsettled.size };
  }

  async #hand(record: AuditRecord): Promise<void> {
    await this.#recorder.append(record);
  }
}
