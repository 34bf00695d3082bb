import path from 'node:path';
import { defineConfig } from 'vitest/config';

const installed = process.env['AGENTFORESIGHT_LOWEST'];
if (installed === undefined) throw new Error('Start this by `npm run test:lowest`.');

const LANGCHAIN = /^(@langchain\/|langchain(\/|$))/;

export default defineConfig({
  root: path.resolve(import.meta.dirname, '../..'),
  plugins: [
    {
      name: 'lowest-langchain',
      enforce: 'pre',
      /** As if the file that imports it stood where the lowest versions are installed; Vite wants one that exists. */
      resolveId(source) {
        if (!LANGCHAIN.test(source)) return null;
        return this.resolve(source, path.join(installed, 'package.json'), { skipSelf: true });
      },
    },
  ],
  test: {
    include: ['test/plugins/langgraph/**/*.test.ts', 'test/contract/langgraph.test.ts'],
    setupFiles: ['test/lowest/loaded-versions.ts'],
    testTimeout: 30_000,
    // It keeps resolved imports, by the file that has them: those of an earlier lock would come back.
    fsModuleCache: false,
  },
});
