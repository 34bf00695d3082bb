import { realpathSync } from 'node:fs';
import { InputError } from '../core/index.js';

/** What was recorded must stay as it is. @throws InputError when the file to be written is one of those that are read */
export function refuseAsInput(option: string, output: string, inputs: readonly string[]): void {
  const at = realPath(output);
  if (at === undefined || !inputs.some((file) => realPath(file) === at)) return;
  throw new InputError(
    { file: output },
    `is read here, and ${option} would write into it`,
    `Give ${option} a file of its own`,
  );
}

/** Nothing for a file that is not there yet: it cannot be the same as another. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch {
    return undefined;
  }
}
