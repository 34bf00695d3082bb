/** A fault that was swallowed so that the host would not notice. */
export interface Diagnostic {
  /** Stable, kebab-case: `"recorder-failed"`. */
  readonly code: string;
  readonly message: string;
  /** `error`: nothing gets better until somebody acts. Default: `warning`. */
  readonly severity?: 'warning' | 'error' | undefined;
  readonly runId?: string | undefined;
  readonly cause?: unknown;
}

/** The one place where swallowed faults go. Count them, page someone, print them. */
export interface Diagnostics {
  report(diagnostic: Diagnostic): void;
}

/** Runs whose errors are remembered as printed: a process may serve any number of runs. */
const MOST_RUNS = 1_000;

/**
 * Warns on stderr once per code: a broken disk must not print a line per turn. An error is louder, and said once in
 * every run.
 */
export function consoleDiagnostics(): Diagnostics {
  const warned = new Set<string>();
  const errors = new Set<string>();
  return {
    report({ code, message, severity, runId }) {
      const run = runId === undefined ? '' : ` [run ${runId}]`;
      const line = `[agentforesight] ${code}${run}: ${message.replace(/\.$/, '')}`;
      if (severity === 'error') {
        if (errors.has(code + run)) return;
        if (errors.size >= MOST_RUNS) errors.clear();
        errors.add(code + run);
        console.error(`${line}. Not printed again for this run.`);
        return;
      }
      if (warned.has(code)) return;
      warned.add(code);
      console.warn(
        `${line}. Later ones of this kind are not printed; pass your own diagnostics to see them.`,
      );
    },
  };
}

/** Keeps a user's sink from throwing into the run that it was told about. */
export function guardDiagnostics(sink: Diagnostics): Diagnostics {
  return {
    report(diagnostic) {
      try {
        sink.report(diagnostic);
      } catch {
        // There is no further place to report to.
      }
    },
  };
}

/** The readable half of whatever was thrown. Never throws itself, as `String` does for an object without a prototype. */
export function messageOf(cause: unknown): string {
  try {
    return String(cause instanceof Error ? cause.message : cause);
  } catch {
    return 'something that cannot be printed';
  }
}
