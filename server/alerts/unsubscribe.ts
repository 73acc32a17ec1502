import { createHmac, timingSafeEqual } from 'node:crypto'
import { writeAudit } from '#server/accounts/audit.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Database } from '#server/db/prisma.ts'
import { inTransaction } from '#server/db/transaction.ts'

/** Emails that a link stops: those from one alert, or those from all of a member's alerts in an account. */
export type Subject = { readonly alert: string } | { readonly member: string; readonly account: string }

const signatureLength = 32

const toText = (subject: Subject): string => ('alert' in subject ? subject.alert : `${subject.member}.${subject.account}`)

/** Signs a subject. The key is derived from the service's secret for this purpose only. */
function sign(secret: string, text: string): string {
  const key = createHmac('sha256', secret).update('market alerts: unsubscribe').digest()
  return createHmac('sha256', key).update(text).digest('base64url').slice(0, signatureLength)
}

/** Returns the token of a link that stops emails without signing in. It doesn't expire, because old emails must keep working. */
export const unsubscribeToken = (secret: string, subject: Subject): string => `${toText(subject)}.${sign(secret, toText(subject))}`

const form = /^(?:(alr_[0-9A-Za-z]{16})|(acc_[0-9A-Za-z]{16})\.(acc_[0-9A-Za-z]{16}))\.([\w-]{32})$/

/** Returns the subject of a token; null if its signature is not valid. */
function readToken(secret: string, token: string): Subject | null {
  const [, alert, member = '', account = '', signature = ''] = form.exec(token) ?? []
  const subject = alert === undefined ? { member, account } : { alert }
  const expected = Buffer.from(sign(secret, toText(subject)))
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected) ? subject : null
}

const toWhere = (subject: Subject): Prisma.MarketAlertWhereInput =>
  'alert' in subject ? { publicId: subject.alert } : { member: { publicId: subject.member }, account: { publicId: subject.account } }

const maxAlertsRead = 200

/** Alerts covered by an unsubscribe link, as shown on its page. */
export type Subscription = { readonly names: readonly string[]; readonly isActive: boolean }

/** Returns the alerts covered by a link; null if its token is not valid or its alerts have been deleted. Changes nothing. */
export async function readSubscription({ pool, secret }: { readonly pool: Database; readonly secret: string }, token: string): Promise<Subscription | null> {
  const subject = readToken(secret, token)
  if (subject === null) return null
  const alerts = await pool.marketAlert.findMany({
    where: toWhere(subject),
    orderBy: { id: 'asc' },
    take: maxAlertsRead,
    select: { name: true, byEmail: true },
  })
  if (alerts.length === 0) return null
  const active = alerts.filter(({ byEmail }) => byEmail)
  return { names: (active.length > 0 ? active : alerts).map(({ name }) => name), isActive: active.length > 0 }
}

/** Stops the emails covered by a link. Keeps the alerts and their webhooks. Returns false if the token is not valid. */
export async function unsubscribe({ pool, secret }: { readonly pool: Database; readonly secret: string }, token: string): Promise<boolean> {
  const subject = readToken(secret, token)
  if (subject === null) return false
  await inTransaction(pool, async (tx) => {
    const stopped = await tx.marketAlert.updateManyAndReturn({
      where: { ...toWhere(subject), byEmail: true },
      data: { byEmail: false, revision: { increment: 1 } },
      select: { publicId: true, accountId: true, memberId: true },
    })
    for (const { publicId, accountId, memberId } of stopped) {
      const by = { actor: 'account', memberId: memberId === accountId ? null : memberId } as const
      await writeAudit(tx, { ...by, accountId, action: 'market-alert.unsubscribe', subject: publicId })
    }
  })
  return true
}
