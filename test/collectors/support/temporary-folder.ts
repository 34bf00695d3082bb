import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';

/** A folder for the files of one test file, gone afterwards. Returns the function that writes one and gives its path. */
export function temporaryFolder(): (name: string, content: string | Uint8Array) => Promise<string> {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'agentforesight-'));
  });
  afterAll(() => rm(folder, { recursive: true }));
  return async (name, content) => {
    const path = join(folder, name);
    await writeFile(path, content);
    return path;
  };
}
