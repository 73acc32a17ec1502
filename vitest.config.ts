import { defineConfig } from 'vitest/config'
import { getClusterUrl } from './tests/support/citus.ts'
import { testEnvironment } from './tests/support/test-environment.ts'

/** Timing-sensitive files, run one at a time. */
const alone = ['tests/processes/footprint.test.ts', 'tests/processes/rolling-restart.test.ts', 'tests/observability/metrics.test.ts']

/**
 * Files that need a fresh process: they use modules that only run in Next's bundle, count a library's calls from the moment it is loaded, or depend on
 * timing.
 */
const apart = ['tests/unit/google-provider.test.ts', 'tests/unit/nearest.test.ts', 'tests/portal/equal-work.test.ts']

/** Tests of a Citus cluster, which CI doesn't have: see docs/scaling.md. The rules of distributed tables are tested everywhere (tests/cluster/rules.test.ts). */
const onCluster = getClusterUrl() === undefined ? ['cluster', 'distribute', 'operations'].map((name) => `tests/cluster/${name}.test.ts`) : []

const shared = {
  setupFiles: './tests/v1/support/console-guard.ts',
  // Ends tests that hang. Long enough for a busy machine.
  testTimeout: 60_000,
  hookTimeout: 120_000,
  expect: { poll: { timeout: 10_000 } },
  env: testEnvironment,
}

/** Runs TypeScript natively in Node, as the service does: nothing is transformed, and the compile cache is shared between files. */
const natively = { ...shared, experimental: { viteModuleRunner: false } }

export default defineConfig({
  test: {
    // Runs once for all projects.
    globalSetup: './tests/support/global-setup.ts',
    projects: [
      // Files mostly wait for service processes, so four workers keep two cores busy. Workers are reused, because starting one and loading the modules
      // costs as much as running a typical file.
      { test: { ...natively, name: 'all', include: ['tests/**/*.test.ts'], exclude: [...apart, ...alone, ...onCluster], isolate: false, maxWorkers: 4 } },
      { test: { ...shared, name: 'apart', include: apart, maxWorkers: 4 } },
      { test: { ...shared, name: 'alone', include: alone, maxWorkers: 1, sequence: { groupOrder: 1 } } },
    ],
  },
})
