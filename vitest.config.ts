import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['tests/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: './tests/support/global-setup.ts',
    setupFiles: './tests/v1/support/console-guard.ts',
    // A file waits for its service processes most of the time, so three of them keep two cores busy.
    maxWorkers: 3,
    testTimeout: 20_000,
    hookTimeout: 60_000,
    // Whatever the shell that starts the run has set must not reach the services under test. They are started some hundred times, so Node keeps what it compiled.
    env: {
      NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)),
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      TRUST_PROXY: '',
      API_V1_DEPRECATION: '',
      API_V1_SUNSET: '',
    },
  },
})
