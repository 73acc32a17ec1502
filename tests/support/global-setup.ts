import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'
import { migrate } from '#server/db/migrate.ts'
import { seedMarket } from '#server/market/seed.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { createTemplate, startTestServer, type TestServer } from './database.ts'
import { openTestPool } from './own-database.ts'
import { ServicePool } from './service-pool.ts'

const quiet = { info: () => {} }

/** Fills the template with all tables, both market datasets and the partitions of the request log. Adds no accounts. */
async function fill(url: string): Promise<void> {
  await migrate(url, { log: () => {} })
  const pool = openTestPool({ connectionString: url, max: 2 })
  try {
    await seedMarket(pool, { log: quiet })
    await seedStatistics(pool)
    await maintainLog(pool)
    // Gives the planner the statistics that it would have after a day in production.
    await pool.query('ANALYZE')
  } finally {
    await pool.end()
  }
}

/**
 * Bundles the current sources into built/, from which tests start services. Runs here because vitest has no earlier build step when it runs a single file.
 * Takes a second, in parallel with the template, and replaces only files that differ.
 */
async function bundleServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../scripts/bundle-server.mjs', import.meta.url))], { timeout: 60_000 })
}

let server: TestServer | undefined
let keeper: ServicePool | undefined

/** Starts one PostgreSQL server with one template per run. A test file gets a copy of the template, or borrows a service that runs on a copy. */
export async function setup(project: TestProject): Promise<void> {
  server = await startTestServer()
  try {
    const [templateUrl] = await Promise.all([createTemplate(server.url, fill), bundleServer()])
    project.provide('templateUrl', templateUrl)
    keeper = await ServicePool.start(templateUrl)
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
