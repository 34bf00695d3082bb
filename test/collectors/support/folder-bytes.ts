import { hash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Hashes of all files in a folder and its sub-folders, by their names. */
export function folderBytes(folder: string): Record<string, string> {
  const files = fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.join(entry.parentPath, entry.name)).sort();
  return Object.fromEntries(
    paths.map((file) => [path.relative(folder, file), hash('sha256', fs.readFileSync(file))]),
  );
}
