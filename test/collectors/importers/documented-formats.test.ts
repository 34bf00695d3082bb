import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { importers } from '../../../collectors/importers/formats.js';

const root = path.resolve(import.meta.dirname, '../../..');
const page = readFileSync(path.join(root, 'docs/collectors/importers.md'), 'utf8');
const documented = [...page.matchAll(/^\| `([a-z-]+)` +\|/gm)].map(([, name]) => name as string);

test('the page has a row for every format', () => {
  expect(importers.map(({ format }) => format).filter((format) => !documented.includes(format))).toEqual([]);
});

test('the page has a row for every quirk of an importer, and no others', () => {
  const folder = path.join(root, 'collectors/importers');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const sources = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  const codes = [...sources.matchAll(/(?:\.note\(|code:)\s*'([a-z-]+)'/g)].map(([, code]) => code as string);
  const ofRunLogs = ['cut-off', 'turns-missing']; // docs/formats.md
  const formats = importers.map(({ format }) => format);
  expect([...new Set(codes)].filter((code) => !ofRunLogs.includes(code)).toSorted()).toEqual(
    documented.filter((name) => !formats.includes(name)).toSorted(),
  );
});
