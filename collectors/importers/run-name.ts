import { basename, dirname, resolve } from 'node:path';
import type { InputLocation } from '../../core/index.js';

/** An id for a run that has none: `runs/chat:12`, its folder, its file, and its line or place in it. */
export function runName({ file, line, field }: InputLocation): string {
  const stem = basename(file).replace(/\.[^.]+$/, '');
  return `${basename(dirname(resolve(file)))}/${stem}${line === undefined ? '' : `:${line}`}${field ?? ''}`;
}

/** Where a run was read, as messages name it: `runs.jsonl:12`, `runs.json [3]`. */
export function sourceOf({ file, line, field }: InputLocation): string {
  return `${file}${line === undefined ? '' : `:${line}`}${field ? ` ${field}` : ''}`;
}
