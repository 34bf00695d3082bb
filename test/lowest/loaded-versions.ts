import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, expect } from 'vitest';
import { underTest } from './frameworks.js';

// Every test file ends with a look at what it loaded, whoever imported it: one copy of each package, in its lowest version.

const { framework, family, installed } = underTest();
const root = pathToFileURL(path.resolve(import.meta.dirname, '../..')).href;
const json = (...names: string[]) => JSON.parse(readFileSync(path.join(...names), 'utf8'));

const folders = new Set<string>();
const lowest = createRequire(path.join(installed, 'package.json'));
registerHooks({
  /** What Vite does for imports, for tests that `require` a CommonJS copy. */
  resolve(name, context, nextResolve) {
    const isTests = context.parentURL?.startsWith(root) && !context.parentURL.includes('/node_modules/');
    return nextResolve(isTests && family.test(name) ? lowest.resolve(name) : name, context);
  },
  load(url, context, nextLoad) {
    const [, folder, name = ''] = /^(file:.*\/node_modules\/((?:@[^/]+\/)?[^/]+))\//.exec(url) ?? [];
    if (folder !== undefined && family.test(name)) folders.add(fileURLToPath(folder));
    return nextLoad(url, context);
  },
});

const peers = Object.keys(json(import.meta.dirname, '../../package.json').peerDependencies);
const lock = json(import.meta.dirname, framework, 'package-lock.json');

afterAll(() => {
  const loaded = [...folders].map((folder) => {
    const { name, version } = json(folder, 'package.json');
    return { name: name as string, version: version as string };
  });
  const names = new Set([...peers.filter((name) => family.test(name)), ...loaded.map(({ name }) => name)]);
  const expected = [...names].map((name) => ({
    name,
    version: lock.packages[`node_modules/${name}`]?.version,
  }));
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  expect(loaded.toSorted(byName)).toEqual(expected.toSorted(byName));
});
