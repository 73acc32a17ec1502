import type { Pool } from 'pg'
import { closeAbandoned } from './close-account.ts'
import { forgetSessions } from './sessions.store.ts'
import { forgetWindows } from './throttle.store.ts'
import { forgetTokens } from './tokens.store.ts'

/** Forgets what no longer says anything: ended sessions, expired links, old windows, sign-ups that nobody confirmed. */
export async function tidyAuth(pool: Pool): Promise<void> {
  await forgetSessions(pool)
  await forgetTokens(pool)
  await forgetWindows(pool)
  await closeAbandoned({ pool })
}
