/**
 * npm run drill -- failover
 * npm run drill -- recovery
 * Exits with code 1 if the drill fails.
 */
import { drill as failover } from './failover.ts'
import { drill as recovery } from './recovery.ts'

const drills = { failover, recovery }

const [chosen = ''] = process.argv.slice(2)
if (!Object.hasOwn(drills, chosen)) throw new Error('Usage: npm run drill -- failover|recovery')
process.exitCode = (await drills[chosen as keyof typeof drills]()) ? 0 : 1
