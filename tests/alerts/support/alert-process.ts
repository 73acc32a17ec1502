/**
 * Worker in a separate process that a test may kill at any moment. Evaluates all alerts once.
 *
 * node alert-process.ts '{"databaseUrl"}'
 */
import { evaluateAlerts } from '#server/alerts/evaluate.ts'
import { openTestPool } from '../../support/test-pool.ts'
import { openAlerts } from './alert-fixture.ts'

const { databaseUrl } = JSON.parse(process.argv[2] ?? '{}') as { databaseUrl: string }
const pool = openTestPool({ connectionString: databaseUrl, max: 4, application_name: 'alert-process' })
await evaluateAlerts(await openAlerts(pool))
await pool.$disconnect?.()
process.exit(0)
