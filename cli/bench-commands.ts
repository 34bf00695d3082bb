import type { Command } from 'commander';

/** `agentforesight bench …`: one command a step, so that what an earlier one has left can be looked at anew. */
export function addBenchCommands(program: Command, _stop: AbortSignal): void {
  program
    .command('bench')
    .summary('how good an auditor is, on labelled runs')
    .description(
      'Walks labelled runs with an auditor and scores what it says, beside floors that understand nothing and the published ' +
        'numbers. Predictions are files: an old one can be scored anew. See docs/bench/.',
    );

  // fetch

  // walk

  // floors

  // score

  // report

  // thresholds

  // closed-loop
}
