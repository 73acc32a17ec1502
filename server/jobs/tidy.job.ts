import { forgetMails } from '#server/email/send-emails.ts'
import { cleanUpAuth } from '#server/self-service/close-account.ts'
import { forgetOAuth } from '#server/self-service/oauth/oauth-clients.ts'
import { forgetPendingSubscriptions } from '#server/status/subscribers.ts'
import type { Job } from './runner.ts'

/** Deletes expired authentication and authorisation data, old emails and unconfirmed subscriptions. */
export const tidyJob: Job = {
  name: 'identity.tidy',
  everyMinutes: 10,
  run: async (pool) => {
    await cleanUpAuth(pool)
    await forgetOAuth(pool)
    await forgetMails(pool)
    await forgetPendingSubscriptions(pool)
  },
}
