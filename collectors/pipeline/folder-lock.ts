import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/index.js';

const LOCK = '.lock';

const holderSchema = z.object({ pid: z.int().positive(), host: z.string(), id: z.string() });
type Holder = z.infer<typeof holderSchema>;

/** Locks that this process holds: after a restart in a container another process may have had its very number. */
const ours = new Set<string>();

/** Holds a folder for one process. A lock whose process has died is taken over. */
export class FolderLock {
  readonly #file: string;
  readonly #id: string;

  private constructor(file: string, id: string) {
    this.#file = file;
    this.#id = id;
  }

  /** @throws InputError while another process is at work in the folder */
  static async take(folder: string): Promise<FolderLock> {
    const file = path.join(folder, LOCK);
    const holder: Holder = { pid: process.pid, host: os.hostname(), id: randomUUID() };
    const own = `${file}.${holder.id}`;
    await writeFile(own, JSON.stringify(holder));
    ours.add(holder.id);
    try {
      // A link is there whole or not at all, and fails where there is one.
      while (!(await linked(own, file))) await removeStale(file);
    } catch (error) {
      ours.delete(holder.id);
      throw error;
    } finally {
      await rm(own, { force: true });
    }
    return new FolderLock(file, holder.id);
  }

  async release(): Promise<void> {
    ours.delete(this.#id);
    await rm(this.#file, { force: true });
  }
}

async function linked(own: string, file: string): Promise<boolean> {
  try {
    await link(own, file);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** @throws InputError when it is not stale */
async function removeStale(file: string): Promise<void> {
  const holder = await readHolder(file);
  if (holder === undefined) return;
  requireDead(file, holder);
  // Only one of several that find it stale gets it; and what it gets may by now be another's, which it gives back.
  const taken = `${file}.${randomUUID()}`;
  const isTaken = await rename(file, taken).then(
    () => true,
    () => false,
  );
  if (!isTaken) return;
  const isStale = (await readHolder(taken))?.id === holder.id;
  if (!isStale) await linked(taken, file);
  await rm(taken, { force: true });
}

function requireDead(file: string, { pid, host, id }: Holder): void {
  const isHere = host === os.hostname();
  if (isHere && !(pid === process.pid ? ours.has(id) : isAlive(pid))) return;
  throw new InputError(
    { file: path.dirname(file) },
    `process ${pid}${isHere ? '' : ` on ${host}`} is at work here`,
    isHere
      ? 'Wait for its end, or give another folder'
      : `Wait for its end; if it has died, remove ${LOCK} in the folder`,
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Nothing when it is gone by now. A lock that nobody can have written is nobody's. */
async function readHolder(file: string): Promise<Holder | undefined> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return holderSchema.parse(JSON.parse(text));
  } catch {
    await rm(file, { force: true });
    return undefined;
  }
}
