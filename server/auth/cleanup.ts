import type { Pool } from 'pg'
import { closeAbandoned } from './close-account.ts'
import { forgetSessions } from './sessions.store.ts'
import { forgetWindows } from './throttle.store.ts'
import { forgetTokens } from './tokens.store.ts'

/** Deletes ended sessions, expired links, old rate limit windows and abandoned sign-ups. */
export async function cleanUpAuth(pool: Pool): Promise<void> {
  await forgetSessions(pool)
  await forgetTokens(pool)
  await forgetWindows(pool)
  await closeAbandoned({ pool })
}
