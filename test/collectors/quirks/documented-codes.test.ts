import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { afTrajChecks } from '../../../collectors/quirks/aftraj-checks.js';
import { runChecks } from '../../../collectors/quirks/run-checks.js';
import { whoAndWhenChecks } from '../../../collectors/quirks/who-and-when-checks.js';

test('docs/formats.md lists the codes of the checks, in their order', async () => {
  const text = await readFile(new URL('../../../docs/formats.md', import.meta.url), 'utf8');
  const documented = [...text.matchAll(/^\| +`([a-z-]+)` +\|/gm)].map(([, code]) => code);
  const codes = [...runChecks, ...afTrajChecks, ...whoAndWhenChecks].map(({ code }) => code);
  expect(documented.filter((code) => code?.includes('-')).slice(0, codes.length)).toEqual(codes);
});
