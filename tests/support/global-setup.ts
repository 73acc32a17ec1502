import { Pool } from 'pg'
import type { TestProject } from 'vitest/node'
import { migrate } from '../../server/db/migrate.ts'
import { seedMarket } from '../../server/market/seed.ts'
import { seedStatistics } from '../../server/market/statistics/seed-statistics.ts'
import { keepLog } from '../../server/metering/usage.ts'
import { createTemplate, startTestServer, type TestServer } from './database.ts'

const quiet = { info: () => {} }

/** What every test file starts from: all tables, both datasets of the market, partitions of the log. No accounts. */
async function fill(url: string): Promise<void> {
  await migrate(url, { log: () => {} })
  const pool = new Pool({ connectionString: url, max: 2 })
  try {
    await seedMarket(pool, { log: quiet })
    await seedStatistics(pool)
    await keepLog(pool)
    // The planner should know the tables as it would after a day of service.
    await pool.query('ANALYZE')
  } finally {
    await pool.end()
  }
}

let server: TestServer | undefined

/** One PostgreSQL server and one template for the whole run; each test file that asks gets a copy. */
export async function setup(project: TestProject): Promise<void> {
  server = await startTestServer()
  try {
    project.provide('templateUrl', await createTemplate(server.url, fill))
  } catch (error) {
    await server.stop()
    throw error
  }
}

export async function teardown(): Promise<void> {
  await server?.stop()
}
