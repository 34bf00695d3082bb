/** What the process's exit status says; told in `--help`. */
export const ExitCode = {
  ok: 0,
  /** `audit --fail-on-alarm`, and at least one alarm was raised. */
  alarm: 1,
  badInput: 2,
  /** Our own fault, output that could not be written, or a replay in which every audit failed. */
  fault: 3,
  /** `collect`: a stage found its input too bad to go on with. */
  limit: 4,
  /** 128 + SIGINT, as shells expect. */
  interrupted: 130,
} as const;
