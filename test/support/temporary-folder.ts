import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own for the running test, removed when the test has finished. */
export function temporaryFolder(): string {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'agentforesight-'));
  onTestFinished(() => fs.rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A file in a folder of its own, holding `lines`; records are written as JSON. */
export function logFile(...lines: readonly (string | object)[]): string {
  const file = path.join(temporaryFolder(), 'log.jsonl');
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  fs.writeFileSync(file, text.map((line) => `${line}\n`).join(''));
  return file;
}
