import { appendFileSync, existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { InputError } from '../../core/index.js';
import { type Attempt, attemptSchema } from './attempt.js';

/** Attempts, a line each, behind a line that says what they are of. */
export interface ResultsFile {
  readonly earlier: readonly Attempt[];
  append(attempt: Attempt): void;
}

/**
 * Opens a file of attempts, to go on where it stopped. A last line that a crash cut off is dropped.
 * @param settings that results must not be mixed under: another file is needed for others
 * @throws InputError for a file of other settings, or of something else
 */
export function resultsFile(file: string, settings: unknown): ResultsFile {
  const head = JSON.stringify({ type: 'closed-loop', v: 1, settings });
  // A crash may have left a part of the first line; anything else is somebody's file.
  if (!existsSync(file) || head.startsWith(readFileSync(file, 'utf8')))
    writeFileSync(file, `${head}\n`, { mode: 0o600 });
  const text = readFileSync(file);
  const whole = text.lastIndexOf('\n') + 1;
  const [first, ...lines] = text.subarray(0, whole).toString().trimEnd().split('\n');
  if (first !== head)
    throw new InputError(
      { file, line: 1 },
      'holds results of other tasks, policies or settings, or none',
      'Give another file',
    );
  if (whole < text.length) truncateSync(file, whole);
  return {
    earlier: lines.map((line, at) => readAttempt(line, { file, line: at + 2 })),
    append: (attempt) => appendFileSync(file, `${JSON.stringify(attempt)}\n`),
  };
}

function readAttempt(line: string, place: { file: string; line: number }): Attempt {
  try {
    return attemptSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new InputError(place, 'is no attempt', 'Give another file, or delete this one', { cause });
  }
}
