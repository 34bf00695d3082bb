import type { Runtime } from './runtime.js';

/**
 * The seam between a framework and the audit. A plugin turns what its host does into turns, makes three calls only
 * (`runtime.openSession`, `session.submit`, `session.close`) and, when a decision says halt, throws its own form of
 * {@link AuditHalt}. Order, schedule, deadlines, failure policy, recording and redaction are core's.
 */
export interface Plugin<Host, Hooked = Host> {
  /** As users write it in the subpath: `"langgraph"`. */
  readonly framework: string;
  /** Leaves `host` as it was and returns its audited twin. Throws {@link SetupError} on a host that it cannot hook. */
  hook(host: Host, runtime: Runtime): Hooked;
}
