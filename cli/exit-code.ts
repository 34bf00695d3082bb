/** What the process's exit status says; told in `--help`. */
export const ExitCode = {
  ok: 0,
  /** `audit --fail-on-alarm`, and at least one alarm was raised. */
  alarm: 1,
  badInput: 2,
  /** Our own fault, output that could not be written, or a replay or walk in which every audit failed. */
  fault: 3,
  /** `collect`: a stage found its input too bad to go on with. */
  limit: 4,
  /** 128 + SIGINT, as shells expect. */
  interrupted: 130,
} as const;

/** Ends the help of every command. */
export const EXIT_CODES = `
Exit codes:
  0    done
  1    an alarm was raised (with --fail-on-alarm)
  2    bad input or usage; the message names file, line and field
  3    a fault of our own, output that could not be written, or a replay or walk whose audits all failed
  4    a limit was exceeded: collect, when labels can be guessed from what is no evidence
  130  stopped by Ctrl-C; what was printed so far is whole`;
