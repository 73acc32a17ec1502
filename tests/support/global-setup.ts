import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { seedMarket } from '#server/market/seed.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { createTemplate, startTestServer, type TestServer } from './database.ts'
import { StageKeeper } from './stage-keeper.ts'

const quiet = { info: () => {} }

/** What every test file starts from: all tables, both datasets of the market, partitions of the log. No accounts. */
async function fill(url: string): Promise<void> {
  await migrate(url, { log: () => {} })
  const pool = new Pool({ connectionString: url, max: 2 })
  try {
    await seedMarket(pool, { log: quiet })
    await seedStatistics(pool)
    await maintainLog(pool)
    // The planner should know the tables as it would after a day of service.
    await pool.query('ANALYZE')
  } finally {
    await pool.end()
  }
}

/**
 * Makes built/ of the sources as they are now: the services of the tests run from it, and whoever runs one file with vitest has no setup before it. It takes
 * a second, beside the making of the template, and replaces only what differs.
 */
async function bundleServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../scripts/bundle-server.mjs', import.meta.url))], { timeout: 60_000 })
}

let server: TestServer | undefined
let keeper: StageKeeper | undefined

/** One PostgreSQL server and one template for the whole run; each test file that asks gets a copy, or borrows a service that runs on one. */
export async function setup(project: TestProject): Promise<void> {
  server = await startTestServer()
  try {
    const [templateUrl] = await Promise.all([createTemplate(server.url, fill), bundleServer()])
    project.provide('templateUrl', templateUrl)
    keeper = await StageKeeper.start(templateUrl)
    project.provide('keeperUrl', keeper.url)
  } catch (error) {
    await server.stop()
    throw error
  }
}

export async function teardown(): Promise<void> {
  await keeper?.stop()
  await server?.stop()
}
