import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Timing-sensitive files, run one at a time. */
const alone = ['e2e/speed.test.ts', 'e2e/interaction-latency.test.ts', 'tests/processes/footprint.test.ts', 'tests/processes/rolling-restart.test.ts']

/**
 * Files that need a fresh process: for modules that only run in Next's bundle, for a library whose calls are counted from its loading, and for
 * timing.
 */
const apart = ['tests/unit/google-provider.test.ts', 'tests/unit/nearest.test.ts', 'tests/portal/equal-work.test.ts']

/** Additional global setup of the browser tests. */
const browsing = { globalSetup: './e2e/support/unpack-browser.ts' }

const shared = {
  setupFiles: './tests/v1/support/console-guard.ts',
  testTimeout: 20_000,
  hookTimeout: 60_000,
  // Isolates the services under test from the shell's environment. They start hundreds of times, so Node's compile cache is enabled.
  env: {
    NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
    NODE_ENV: 'test' as const,
    LOG_LEVEL: 'info',
    TRUST_PROXY: '',
    API_V1_DEPRECATION: '',
    API_V1_SUNSET: '',
  },
}

/** Runs TypeScript natively in Node, as the service does: nothing is transformed, and the compile cache is shared between files. */
const natively = { ...shared, experimental: { viteModuleRunner: false } }

export default defineConfig({
  test: {
    // Runs once; projects inherit the provided values.
    globalSetup: './tests/support/global-setup.ts',
    projects: [
      // Files mostly wait for service processes, so four workers keep two cores busy. Workers are reused, because starting one and loading the modules
      // costs as much as running a typical file.
      { test: { ...natively, name: 'all', include: ['tests/**/*.test.ts'], exclude: [...apart, ...alone], isolate: false, maxWorkers: 4 } },
      { test: { ...shared, name: 'apart', include: apart, maxWorkers: 4 } },
      // A browser keeps a core busy: more than two would wait for each other.
      { test: { ...shared, ...browsing, name: 'browser', include: ['e2e/**/*.test.ts'], exclude: alone, maxWorkers: 2, sequence: { groupOrder: 1 } } },
      { test: { ...shared, ...browsing, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 2 } } },
    ],
  },
})
