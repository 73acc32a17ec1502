import { defineConfig } from '@playwright/test'
import { findBrowser } from './e2e/support/browser.ts'
import { testEnvironment } from './tests/support/test-environment.ts'

// Workers inherit the environment, so only the first process looks for a browser.
const { SVC_TEST_BROWSER: executablePath = await findBrowser() } = process.env
Object.assign(process.env, testEnvironment, { SVC_TEST_BROWSER: executablePath })

export default defineConfig({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  snapshotPathTemplate: '{testDir}/screenshots/{arg}{ext}',
  forbidOnly: process.env['CI'] !== undefined,
  // A browser keeps a core busy, so more than two workers would slow each other down.
  workers: 2,
  // Long, because each test loads many pages.
  timeout: 120_000,
  reporter: 'list',
  expect: {
    timeout: 15_000,
    // Tolerates colours that another CPU rounds differently. Moving a button by one pixel exceeds the tolerance.
    toHaveScreenshot: { threshold: 0.03, maxDiffPixels: 20 },
  },
  use: {
    viewport: { width: 1280, height: 900 },
    locale: 'en-GB',
    contextOptions: { reducedMotion: 'reduce' },
    // Traces omit screenshots of each step, which would make the tests a third slower.
    trace: { mode: 'retain-on-failure', screenshots: false, snapshots: true },
    launchOptions: {
      executablePath,
      args: [
        // Chromium's sandbox doesn't work as root, and the browser only opens our own service.
        '--no-sandbox',
        '--disable-dev-shm-usage',
        // Lets the browser reach only this machine. Intercepting requests instead would disable the browser cache.
        '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
      ],
    },
  },
})
