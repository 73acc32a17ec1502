import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { hasAccount } from '#server/accounts/accounts.ts'
import type { Database } from '#server/db/prisma.ts'
import type { Env } from '#server/env.ts'
import type { Log } from '#server/observability/log.ts'

export const demoPath = ({ dataDir }: Pick<Env, 'dataDir'>): string => join(dataDir, 'demo.json')

/** Address that cannot receive email (RFC 2606), so no customer has it. */
export const demonstrationEmail = 'demo@example.test'

/**
 * Closes the demonstration account when a development database is first used in production, because the account's password and keys were printed and are
 * stored in a file. A later start in development creates another account.
 */
export async function closeDemonstration(pool: Database, env: Env, log: Log): Promise<void> {
  if (!(await hasAccount(pool, demonstrationEmail))) return
  // Loaded only if there is an account to close: most production starts have none.
  const { closeForOperator } = await import('#server/self-service/close-account.ts')
  if (!(await closeForOperator(pool, demonstrationEmail))) return
  rmSync(demoPath(env), { force: true })
  log.warn('The demonstration account was closed, because NODE_ENV is production: its password and keys no longer work.')
}
