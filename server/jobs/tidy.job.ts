import { forgetMails } from '#server/email/send-emails.ts'
import { cleanUpAuth } from '#server/self-service/close-account.ts'
import type { Job } from './runner.ts'

/** Deletes expired authentication data and old emails. */
export const tidyJob: Job = {
  name: 'identity.tidy',
  everyMinutes: 10,
  run: async (pool) => {
    await cleanUpAuth(pool)
    await forgetMails(pool)
  },
}
