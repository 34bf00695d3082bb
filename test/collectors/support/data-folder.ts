import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

/** A corpus of `AGENTFORESIGHT_DATA`, or undefined after a printed line where it is absent: tests then skip. */
export function dataFolder(corpus: 'aftraj' | 'who-and-when'): string | undefined {
  const folder = join(resolve(repository, process.env['AGENTFORESIGHT_DATA'] ?? '../shared/data'), corpus);
  if (existsSync(folder)) return folder;
  console.log(`skipped: no ${folder}. Set AGENTFORESIGHT_DATA to the folder that holds ${corpus}/.`);
  return undefined;
}
