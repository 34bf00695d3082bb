import { createHash } from 'node:crypto';
import { appendFile, open } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { jsonLine } from '../../core/index.js';
import type { Judge, Question } from './judge.js';

const lineSchema = z.object({ key: z.string(), answer: z.unknown() });

export interface CachedJudge extends Judge {
  /** Questions that were answered from the file. */
  readonly hits: number;
}

interface Kept {
  readonly answers: Map<string, unknown>;
  /** What the next line begins with: an end for the last one, where a crash has left it without. */
  readonly mend: string;
}

/**
 * Keeps answers in a file, one JSON line each, under a hash of the judge's name and the question. Failures are never kept.
 * The file is only ever appended to: any number of runs may share it, and of processes too, which see what stood there when
 * they began. A line that a crash has torn is passed over; it costs one question. What the schema of a question no longer
 * takes is asked for anew. Schemas must take what they have given, so must not transform.
 *
 * Asking rejects when the file cannot be read or written: better no answer than a thousand that are paid for twice.
 */
export function cached(judge: Judge, file: string): CachedJudge {
  let hits = 0;
  let kept: Promise<Kept> | undefined;
  let mend = '';

  async function load() {
    const loaded = await readKept(file);
    mend = loaded.mend;
    return loaded;
  }

  return {
    name: judge.name,
    get hits() {
      return hits;
    },
    async ask(question, signal) {
      signal.throwIfAborted();
      kept ??= load();
      const { answers } = await kept;
      const key = keyOf(judge.name, question);
      const known = answers.has(key) ? question.schema.safeParse(answers.get(key)) : undefined;
      if (known?.success) {
        hits++;
        return { answer: known.data };
      }
      const reply = await judge.ask(question, signal);
      if (reply.failure) return reply;
      answers.set(key, reply.answer);
      const line = mend + jsonLine({ key, answer: reply.answer });
      mend = '';
      // One write of one whole line, which other processes' lines cannot fall into.
      await appendFile(file, line, { mode: 0o600 });
      return reply;
    },
  };
}

function keyOf(judge: string, { system, prompt, sample = 0, temperature = 0 }: Question<unknown>): string {
  const content = JSON.stringify([judge, system, prompt, sample, temperature]);
  return createHash('sha256').update(content).digest('base64url');
}

async function readKept(file: string): Promise<Kept> {
  const answers = new Map<string, unknown>();
  await using handle = await open(file, 'a+', 0o600);
  const { size } = await handle.stat();
  const input = handle.createReadStream({ start: 0, autoClose: false });
  for await (const text of createInterface({ input, crlfDelay: Infinity })) {
    const line = lineSchema.safeParse(parsed(text));
    if (line.success) answers.set(line.data.key, line.data.answer);
  }
  const last = Buffer.alloc(1);
  if (size > 0) await handle.read(last, 0, 1, size - 1);
  return { answers, mend: size > 0 && last.toString() !== '\n' ? '\n' : '' };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
