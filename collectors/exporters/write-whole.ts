import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Lets `write` fill a file under another name beside `path`, syncs it, and gives it its name: whoever finds a file there
 * finds all of it. When `write` fails, what was at `path` before is still there.
 */
export async function writeWhole<Result>(
  path: string,
  write: (partial: string) => Promise<Result>,
): Promise<Result> {
  const partial = `${path}.partial`;
  await mkdir(dirname(path), { recursive: true });
  try {
    const result = await write(partial);
    await sync(partial);
    await rename(partial, path);
    await sync(dirname(path));
    return result;
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
