import { hash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { publicDatasets } from '../../../bench/fetch/public-datasets.js';
import { dataFolder } from '../../collectors/support/data-folder.js';

describe('the public datasets', () => {
  const files = [...publicDatasets.values()].flatMap((dataset) => dataset.files);

  it('are 3 files and 185, each once, at a pinned revision', () => {
    expect([...publicDatasets].map(([name, { files: all }]) => [name, all.length])).toEqual([
      ['aftraj', 3],
      ['who-and-when', 185],
    ]);
    expect(new Set(files.map((file) => file.path)).size).toBe(188);
    expect(new Set(files.map((file) => file.url)).size).toBe(188);
    for (const { path: place, url, sha256, bytes } of files) {
      expect(place).toMatch(/^(aftraj|who-and-when)\//);
      expect(url).toMatch(/^https:\/\/[a-z.]+\/[^?#]*\/[a-f\d]{40}\/[^?#]+$/);
      expect(sha256).toMatch(/^[a-f\d]{64}$/);
      expect(bytes).toBeGreaterThan(0);
    }
  });

  it('have the address of their own number', () => {
    const run = files.find(({ path: place }) => place === 'who-and-when/hand-crafted/58.json');
    expect(run?.url).toMatch(/\/Who%26When\/Hand-Crafted\/58\.json$/);
  });

  const data =
    dataFolder('aftraj') && dataFolder('who-and-when') && path.dirname(dataFolder('aftraj') as string);
  it.skipIf(data === undefined)('are the files that the numbers of this project are about', () => {
    for (const { path: place, bytes, sha256 } of files) {
      const at = path.join(data as string, place);
      if (!existsSync(at) && place.endsWith('LICENSE')) continue;
      const content = readFileSync(at);
      expect([place, content.length, hash('sha256', content)]).toEqual([place, bytes, sha256]);
    }
  });
});
