import { incidentStates } from '#server/api/contract/incidents.ts'
import type { Database } from '#server/db/prisma.ts'
import type { EmailTemplates, StatusKind } from '#server/email/email.ts'
import { action, facts, message, text } from '#server/email/email-content.ts'
import { moment } from '#server/email/templates/account-emails.ts'

/** Templates of the emails to subscribers of the status page. They contain the subscription's links, and are dropped if the subscription has ended. */
export const statusEmails = ({ pool }: { readonly pool: Database }): Pick<EmailTemplates, StatusKind> => ({
  'status-confirm': async ({ publicUrl, recipient }) => {
    const subscriber = await pool.statusSubscriber.findUnique({ where: { email: recipient } })
    if (subscriber === null || subscriber.confirmedAt !== null) return null
    return message(
      'Confirm that you want status emails',
      text('Someone, probably you, signed this address up for emails about incidents. Confirm to start receiving them.'),
      action('Confirm', `${publicUrl}/status/follow/${subscriber.publicId}`),
      text("If you didn't ask for this, ignore this email: we won't email you again."),
    )
  },
  'status-update': async ({ publicUrl, recipient }, { incident, title, state, body, at }) => {
    const subscriber = await pool.statusSubscriber.findUnique({ where: { email: recipient } })
    if (subscriber === null || subscriber.confirmedAt === null) return null
    const page = `${publicUrl}/status/follow/${subscriber.publicId}`
    return {
      ...message(
        `${incidentStates[state]}: ${title}`,
        facts(['State', incidentStates[state]], ['Time', moment(at)]),
        text(body),
        action('Open the status page', `${publicUrl}/status#${incident}`),
        text(`You're receiving this because you asked for status emails. To stop them, open ${page}`),
      ),
      unsubscribeUrl: `${page}/end`,
    }
  },
})
