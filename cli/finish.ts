import { InputError, SetupError } from '../core/index.js';
import { complain } from './complain.js';
import { ExitCode } from './exit-code.js';

/** Sets the exit status. Bad input and set-up faults are one line; anything else is our own fault, and keeps its stack. */
export async function finish(work: Promise<number>): Promise<void> {
  try {
    process.exitCode = await work;
  } catch (error) {
    const expected = error instanceof InputError || error instanceof SetupError;
    if (expected) complain(error.message);
    else console.error(error);
    process.exitCode = expected ? ExitCode.badInput : ExitCode.fault;
  }
}
