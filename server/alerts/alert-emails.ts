import { readRole } from '#server/accounts/permissions.ts'
import type { Mode } from '#server/api/contract/endpoint.ts'
import type { AlertChange, AlertChangeKind } from '#server/api/contract/market-alerts.ts'
import { alertUrl } from '#server/api/contract/webhooks.ts'
import type { Database } from '#server/db/prisma.ts'
import type { EmailTemplates } from '#server/email/email.ts'
import { action, type EmailContent, facts, message, text } from '#server/email/email-content.ts'
import { type Subject, unsubscribeToken } from './unsubscribe.ts'

/** Maximum number of changes listed per alert in an email. The portal lists the rest. */
const maxShown = 20
/** Maximum number of alerts in an email. Exceeds the number that an account can have. */
const maxAlertsShown = 200
/** Maximum number of notifications combined in one email. */
const maxCombined = 1_000

const labels: Readonly<Record<AlertChangeKind, string>> = {
  matched: 'New',
  unmatched: 'No longer matches',
  withdrawn: 'Withdrawn',
  rate_up: 'Rate up',
  rate_down: 'Rate down',
  terms_changed: 'Terms changed',
}

function describe({ change, fromRate, toRate }: AlertChange): string {
  const from = fromRate === null || fromRate === toRate ? '' : `${fromRate}%`
  const to = toRate === null ? '' : `${toRate}%`
  const rates = [from, to].filter((part) => part !== '').join(' → ')
  return rates === '' ? labels[change] : `${labels[change]}: ${rates}`
}

const toName = ({ provider, accountName }: AlertChange): string => (provider === null ? accountName : `${provider} ${accountName}`)

/** Returns an alert's name for emails. Marks test alerts, which track the sample market. */
const toTitle = ({ name, mode }: { readonly name: string; readonly mode: Mode }): string => (mode === 'test' ? `[Test] ${name}` : name)

type Found = { readonly publicId: string; readonly isTest: boolean; readonly name: string; readonly changes: readonly AlertChange[]; readonly count: number }

const countText = (count: number): string => (count === 1 ? '1 change' : `${count} changes`)

function toParts({ publicId, isTest, name, changes, count }: Found, publicUrl: string): EmailContent['parts'] {
  const shown = changes.slice(0, maxShown)
  const rest = count - shown.length
  return [
    text(`${name}: ${countText(count)}`),
    facts(...shown.map((change) => [toName(change), describe(change)] as const)),
    ...(rest === 0 ? [] : [text(isTest ? `And ${rest} more.` : `And ${rest} more in the portal.`)]),
    // The portal shows only live alerts.
    ...(isTest ? [] : [action('Open the alert', alertUrl(publicUrl, publicId))]),
  ]
}

const columns = {
  account: { select: { id: true, publicId: true, ownerId: true, state: true, closedAt: true } },
  member: { select: { id: true, publicId: true, email: true, closedAt: true } },
  notifications: {
    where: { alert: { byEmail: true, pausedAt: null } },
    orderBy: { id: 'asc' },
    take: maxCombined,
    select: { changes: true, changeCount: true, alert: { select: { publicId: true, name: true, mode: true } } },
  },
} as const

/** Reads the alerts of an email with their changes. Returns null if the email must no longer be sent. */
async function readEmail(pool: Database, id: string, recipient: string) {
  const email = await pool.marketAlertEmail.findUnique({ where: { publicId: id }, select: columns })
  if (email === null) return null
  const { account, member, notifications } = email
  const isAllowed = account.closedAt === null && account.state !== 'blocked' && member.closedAt === null && member.email === recipient
  if (!isAllowed || (await readRole(pool, account, member.id)) === null) return null
  const groups = Map.groupBy(notifications, ({ alert }) => alert.publicId)
  const found: Found[] = [...groups].slice(0, maxAlertsShown).map(([publicId, group]) => ({
    publicId,
    isTest: group[0]?.alert.mode === 'test',
    name: group[0] ? toTitle(group[0].alert) : '',
    changes: group.flatMap(({ changes }) => changes as unknown as AlertChange[]),
    count: group.reduce((sum, { changeCount }) => sum + changeCount, 0),
  }))
  const all: Subject = { member: member.publicId, account: account.publicId }
  return { found, all }
}

/** Template for market alert emails. Includes links that stop the emails without signing in. */
export const alertEmails = ({ pool, secret }: { readonly pool: Database; readonly secret: string }): Pick<EmailTemplates, 'market-alert'> => ({
  'market-alert': async ({ publicUrl, recipient }, { id }) => {
    const email = await readEmail(pool, id, recipient)
    const [first, ...others] = email?.found ?? []
    if (email === null || first === undefined) return null
    const page = (subject: Subject) => `${publicUrl}/alerts/unsubscribe/${unsubscribeToken(secret, subject)}`
    const total = email.found.reduce((sum, { count }) => sum + count, 0)
    const one: Subject = { alert: first.publicId }
    const links = others.length > 0 ? [] : [text(`Stop emails from this alert: ${page(one)}`)]
    return {
      ...message(
        others.length === 0 ? `${first.name}: ${countText(first.count)}` : `Market alerts: ${countText(total)}`,
        ...email.found.flatMap((found) => toParts(found, publicUrl)),
        ...links,
        text(`Stop emails from all your alerts: ${page(email.all)}`),
      ),
      unsubscribeUrl: `${page(others.length === 0 ? one : email.all)}/end`,
    }
  },
})
