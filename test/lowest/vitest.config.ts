import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { underTest } from './frameworks.js';

const { framework, family, installed } = underTest();

export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  plugins: [
    {
      name: 'lowest-versions',
      enforce: 'pre',
      /** As if the file that imports it stood where the lowest versions are installed; Vite wants one that exists. */
      resolveId(source) {
        if (!family.test(source)) return null;
        return this.resolve(source, path.join(installed, 'package.json'), { skipSelf: true });
      },
    },
  ],
  test: {
    include: [`test/plugins/${framework}/**/*.test.ts`, `test/contract/${framework}.test.ts`],
    setupFiles: ['test/lowest/loaded-versions.ts'],
    testTimeout: 30_000,
    // It keeps resolved imports, by the file that has them: those of an earlier lock would come back.
    fsModuleCache: false,
  },
});
