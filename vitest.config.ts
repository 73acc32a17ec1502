import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** What is true only on a machine that does nothing else at the time. */
const alone = ['e2e/speed.test.ts', 'e2e/answer-to-press.test.ts', 'tests/processes/footprint.test.ts', 'tests/processes/rolling-restart.test.ts']

/**
 * Files that no process may have had another before: modules that only Next's bundle runs, which Node by itself would not; a library that is counted, which
 * others would have loaded uncounted; and what is timed.
 */
const apart = ['tests/unit/google-provider.test.ts', 'tests/unit/nearest.test.ts', 'tests/portal/equal-work.test.ts']

/** What the tests with a browser need once for the run, beside what all need. */
const browsing = { globalSetup: './e2e/support/unpack-browser.ts' }

const shared = {
  setupFiles: './tests/v1/support/console-guard.ts',
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // Whatever the shell that starts the run has set must not reach the services under test. They are started some hundred times, so Node keeps what it compiled.
  env: {
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'info',
    TRUST_PROXY: '',
    API_V1_DEPRECATION: '',
    API_V1_SUNSET: '',
  },
}

/** Node runs our TypeScript as it is, in the tests as in the service: nothing is transformed, and what was compiled for one file is there for the next. */
const natively = { ...shared, experimental: { viteModuleRunner: false } }

export default defineConfig({
  test: {
    // Once for the whole run: projects are provided with what the root has.
    globalSetup: './tests/support/global-setup.ts',
    projects: [
      // A file waits for its service processes most of the time, so four of them keep two cores busy. A process takes one file after the other: starting one
      // and loading the modules costs as much as many a file.
      { test: { ...natively, name: 'all', include: ['tests/**/*.test.ts'], exclude: [...apart, ...alone], isolate: false, maxWorkers: 4 } },
      { test: { ...shared, name: 'apart', include: apart, maxWorkers: 4 } },
      // A browser keeps a core busy by itself: more than two only wait for each other.
      { test: { ...shared, ...browsing, name: 'browser', include: ['e2e/**/*.test.ts'], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 1 } } },
      { test: { ...shared, ...browsing, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
