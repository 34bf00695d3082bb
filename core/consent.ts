import { type Diagnostics, messageOf } from './diagnostics.js';
import type { RunInfo } from './run-info.js';

/**
 * Whether those concerned by a run agreed that it becomes training data. A function is called as the run opens, in the
 * host's own async context, where it can find out whose request it is.
 */
export type Consent = boolean | ((run: RunInfo) => boolean);

/** Consent that cannot be told is none. Undefined where nobody was asked. */
export function consentTo(
  run: RunInfo,
  consent: Consent | undefined,
  diagnostics: Diagnostics,
): boolean | undefined {
  if (typeof consent !== 'function') return consent;
  const report = (message: string, cause?: unknown) =>
    diagnostics.report({ code: 'consent-failed', message, runId: run.runId, cause });
  try {
    const given: unknown = consent(run);
    if (typeof given === 'boolean') return given;
    report('the consent function gave neither true nor false; the run is recorded as one without consent');
  } catch (cause) {
    report(
      `the consent function threw; the run is recorded as one without consent: ${messageOf(cause)}`,
      cause,
    );
  }
  return false;
}
