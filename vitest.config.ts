import { defineConfig } from 'vitest/config';

export default defineConfig({
  // The names that users import, as tsconfig.json maps them to the sources.
  resolve: { tsconfigPaths: true },
  test: {
    include: ['test/**/*.test.ts'],
    testTimeout: 30_000,
  },
});
