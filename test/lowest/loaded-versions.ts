import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, expect } from 'vitest';

// Every test file ends with a look at what it loaded, whoever imported it: one copy of each package, in its lowest version.

const folders = new Set<string>();
registerHooks({
  load(url, context, nextLoad) {
    const inPackage = /^(file:.*\/node_modules\/(?:@langchain\/[^/]+|langchain))\//.exec(url);
    if (inPackage?.[1] !== undefined) folders.add(fileURLToPath(inPackage[1]));
    return nextLoad(url, context);
  },
});

const lock = JSON.parse(readFileSync(path.join(import.meta.dirname, 'package-lock.json'), 'utf8'));

afterAll(() => {
  const loaded = [...folders].map((folder) => {
    const { name, version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
    return { name: name as string, version: version as string };
  });
  const names = new Set(['@langchain/core', '@langchain/langgraph', ...loaded.map(({ name }) => name)]);
  const lowest = [...names].map((name) => ({
    name,
    version: lock.packages[`node_modules/${name}`]?.version,
  }));
  const byName = (one: { name: string }, other: { name: string }) => one.name.localeCompare(other.name);
  expect(loaded.toSorted(byName)).toEqual(lowest.toSorted(byName));
});
