import { randomUUID } from 'node:crypto';
import { readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { InputError } from '../../core/index.js';

/** Who is at work in a folder, as the name of an empty file: it is there whole or not at all. */
interface Holder {
  readonly pid: number;
  readonly host: string;
  readonly id: string;
}

/** Of those who come at once all but one give way at once; that one waits for them. */
const PATIENCE_MS = 500;
const LOOK_EVERY_MS = 20;

/** Locks of this process: after a restart in a container another process may have had its very number. */
const ours = new Set<string>();

/**
 * Holds a folder for one process. Whoever comes announces himself by a file, then looks: if no other's is there, the
 * folder is his, for whoever comes later will see it. Files of dead processes are removed.
 */
export class FolderLock {
  readonly #file: string;
  readonly #id: string;

  private constructor(file: string, id: string) {
    this.#file = file;
    this.#id = id;
  }

  /** @throws InputError while another process is at work in the folder */
  static async take(folder: string): Promise<FolderLock> {
    const own: Holder = { pid: process.pid, host: os.hostname(), id: randomUUID() };
    const lock = new FolderLock(path.join(folder, fileName(own)), own.id);
    ours.add(own.id);
    await writeFile(lock.#file, '');
    const start = performance.now();
    for (;;) {
      const others = await holdersOf(folder, own);
      const [other] = others;
      if (!other) return lock;
      if (others.some(({ id }) => id < own.id) || performance.now() - start > PATIENCE_MS) {
        await lock.release();
        throw atWork(folder, other);
      }
      await setTimeout(LOOK_EVERY_MS);
    }
  }

  async release(): Promise<void> {
    ours.delete(this.#id);
    await rm(this.#file, { force: true });
  }
}

function fileName({ pid, host, id }: Holder): string {
  return `.lock-${pid}-${id}-${encodeURIComponent(host)}`;
}

const NAME = /^\.lock-(?<pid>\d+)-(?<id>[\da-f-]{36})-(?<host>.+)$/;

/** Who else is at work here. What dead processes have left is removed. */
async function holdersOf(folder: string, own: Holder): Promise<readonly Holder[]> {
  const holders: Holder[] = [];
  for (const name of await readdir(folder)) {
    const { pid, id, host } = NAME.exec(name)?.groups ?? {};
    if (pid === undefined || id === undefined || host === undefined || id === own.id) continue;
    const holder = { pid: Number(pid), id, host: decodeURIComponent(host) };
    if (isDead(holder)) await rm(path.join(folder, name), { force: true });
    else holders.push(holder);
  }
  return holders;
}

/** Of another machine's process nobody can tell. */
function isDead({ pid, host, id }: Holder): boolean {
  if (host !== os.hostname()) return false;
  if (pid === process.pid) return !ours.has(id);
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'EPERM';
  }
}

function atWork(folder: string, other: Holder): InputError {
  const isHere = other.host === os.hostname();
  return new InputError(
    { file: folder },
    `process ${other.pid}${isHere ? '' : ` on ${other.host}`} is at work here`,
    isHere
      ? 'Wait for its end, or give another folder'
      : `Wait for its end; if it has died, remove ${fileName(other)} from the folder`,
  );
}
