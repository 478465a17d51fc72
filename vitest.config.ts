import { defineConfig } from 'vitest/config';
import { FileOrder } from './test/help/file-order.ts';

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

/** Where `npm test` has found room in memory for temporary files. Not for the others: a sandbox has a `/dev` of its own. */
const memory = process.env['UNIT_TMPDIR'];
const inMemory = memory === undefined ? {} : { env: { TMPDIR: memory } };

export default defineConfig({
  test: {
    pool: 'forks',
    // One more than CI has cores: files of whole programs wait now and then. All projects share them.
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    silent: 'passed-only',
    globalSetup: ['test/help/real-home.ts'],
    projects: [
      {
        test: {
          ...common,
          ...secondTry,
          ...inMemory,
          name: 'unit',
          include: ['src/**/*.test.ts', 'web/**/*.test.ts', 'test/house/*.test.ts'],
          setupFiles: [...common.setupFiles, 'test/help/scanner.ts'],
          // A process runs many files, and reads a module once: no module is mocked, and what modules remember changes no answer.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          ...common,
          ...secondTry,
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/help/built-program.ts'],
          testTimeout: 90_000,
          hookTimeout: 60_000,
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
