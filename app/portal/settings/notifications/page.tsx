import type { Metadata } from 'next'
import { number } from '#components/portal/amounts.ts'
import { SettingsSection as Section } from '#components/portal/settings/settings-parts.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Notifications' }

const alwaysSent = [
  'Security: changes to your password, email, two-factor sign-in or connected accounts, and sign-ins on new devices.',
  'Payments: top-ups that your bank confirms late, automatic top-ups, refunds and disputes.',
  'Webhooks: an endpoint that is failing, disabled or waiting for credits.',
  'Changes: new Data Licence versions and API changes, while your account has an active key.',
]

export default async function NotificationsPage() {
  const { ownerEmail, state } = await signedIn()
  if (state === 'blocked') return null
  const { alertThresholds } = await (await portalCaller()).billing.overview()
  return (
    <>
      <Section id="alerts" title="Balance alerts" lead="We email the owner and billing members when the balance falls to one of your alert levels.">
        <p className="mb-4">{alertThresholds.length === 0 ? 'Off.' : `Alert levels: ${alertThresholds.map(number).join(', ')} credits.`}</p>
        <ButtonLink kind="second" size="compact" href="/portal/billing/alerts">
          Change balance alerts
        </ButtonLink>
      </Section>
      <Section id="emails" title="Other emails" lead="These are needed to run your account, so they can't be turned off.">
        <p>
          Emails about sign-in security go to the member affected. All others go to the owner, <span className="font-medium wrap-anywhere">{ownerEmail}</span>.
          Billing emails also go to billing members.
        </p>
        <ul className="mt-3 flex list-disc flex-col gap-2 pl-5">
          {alwaysSent.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </Section>
    </>
  )
}
