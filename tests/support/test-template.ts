import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { migrate } from '#server/db/migrate.ts'
import type { Database } from '#server/db/prisma.ts'
import { storeDay } from '#server/market/daily-files/store-day.ts'
import { datasets } from '#server/market/product.ts'
import { moveSample } from '#server/market/sample-week/move-sample.ts'
import { seedMarket } from '#server/market/seed.ts'
import { loadSnapshot } from '#server/market/snapshot.ts'
import { londonDay } from '#server/market/sources/calendar.ts'
import { seedStatistics } from '#server/market/statistics/seed-statistics.ts'
import { maintainLog } from '#server/metering/usage.ts'
import { dailyFiles } from '#server/runtime/daily-files.ts'
import { createTemplate, startTestServer, type TestServer } from './database.ts'
import { openTestPool } from './test-pool.ts'

const quiet = { info: () => {} }

/** Stores the market as the files of today, as the job does. */
async function storeToday(pool: Database): Promise<void> {
  const read = dailyFiles({ publicUrl: 'https://api.example.test', market: () => loadSnapshot(pool) })
  for (const dataset of datasets) await storeDay(pool, dataset, londonDay(Date.now()), await read(dataset), Date.now())
}

/** Fills the template with all tables, both market datasets, their files of today and the partitions of the request log. Adds no accounts. */
async function fill(url: string): Promise<void> {
  await migrate(url, { log: () => {} })
  const pool = openTestPool({ connectionString: url, max: 2 })
  try {
    await seedMarket(pool, { log: quiet })
    await moveSample(pool, { log: quiet })
    await seedStatistics(pool)
    await storeToday(pool)
    await maintainLog(pool)
    // Gives the query planner the statistics that it would have after a day in production.
    await pool.query('ANALYZE')
  } finally {
    await pool.end()
  }
}

/**
 * Bundles the current sources into built/, from which tests start services. Runs here, because there is no earlier build step when a single test file is
 * run. Takes a second, in parallel with creating the template, and replaces only files that differ.
 */
async function bundleServer(): Promise<void> {
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('../../scripts/bundle-server.mjs', import.meta.url))], { timeout: 60_000 })
}

/** Starts one PostgreSQL server with one template per run, and puts the URL of the template into the environment of the test workers. */
export async function startTemplate(): Promise<TestServer> {
  const server = await startTestServer()
  try {
    const [url] = await Promise.all([createTemplate(server.url, fill), bundleServer()])
    process.env['SVC_TEST_TEMPLATE_URL'] = url
    return { url, stop: server.stop }
  } catch (error) {
    await server.stop()
    throw error
  }
}
