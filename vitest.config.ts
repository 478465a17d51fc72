import { defineConfig } from 'vitest/config';

/**
 * What every project of tests shares: a home of its own, no test that asserts nothing, and patience: how long something
 * may take is for the benchmarks to say.
 */
const common = {
  setupFiles: ['test/help/setup.ts'],
  expect: { requireAssertions: true, poll: { timeout: 15_000 } },
  unstubEnvs: true,
  restoreMocks: true,
};

/**
 * Nearly everything is played with real git and real processes, so each test gets one second try where nobody sits
 * beside it, never silently: scripts/test.mjs names each that needed it. A file's hall is the same, and runs again if
 * it was killed.
 */
const secondTry = process.env['CI'] === 'true' ? { retry: 1 } : {};

export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    silent: 'passed-only',
    globalSetup: ['test/help/real-home.ts'],
    projects: [
      {
        test: {
          ...common,
          ...secondTry,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/house/*.test.ts'],
          testTimeout: 20_000,
          hookTimeout: 20_000,
          sequence: { groupOrder: 0 },
        },
      },
      {
        test: {
          ...common,
          ...secondTry,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          ...common,
          ...secondTry,
          name: 'browser',
          include: ['test/browser/**/*.test.ts'],
          globalSetup: ['test/help/built-program.ts'],
          testTimeout: 120_000,
          hookTimeout: 90_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      exclude: ['src/main/**', '**/*.test.ts', '**/conformance*.ts', '**/fixtures/**'],
      reporter: ['lcovonly', 'json-summary'],
      reportsDirectory: 'coverage',
      reportOnFailure: true,
    },
  },
});
