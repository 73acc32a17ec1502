import type { Metadata } from 'next'
import { AccountTop, linePlaces } from '#components/admin/account-top.tsx'
import { accountHref } from '#components/admin/section.tsx'
import { LedgerTable } from '#components/portal/billing/ledger.tsx'
import { adminCaller, getAccount, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { adminNotFound } from '#server/pages/missing.tsx'

export const metadata: Metadata = { title: 'Account ledger' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ cursor?: string; request?: string }> }

const limit = 50

/** Returns a query parameter, or null if it doesn't have the expected format. */
const shaped = (text: unknown, shape: RegExp): string | null => (typeof text === 'string' && shape.test(text) ? text : null)

export default async function AccountLedgerPage({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const account = await getAccount((await params).id)
  if (account === null) return adminNotFound()
  const asked = await searchParams
  const [cursor, request] = [shaped(asked.cursor, /^\d{1,18}_-?\d{1,18}_[0-9a-f-]{0,36}$/), shaped(asked.request, /^req_[0-9a-f]{32}$/)]
  const { lines, nextCursor } = await (await adminCaller()).admin.accounts.ledger({ account: account.id, cursor, request, limit })
  return (
    <>
      <AccountTop account={account} title="Ledger" />
      {lines.length === 0 ? (
        <p>No transactions yet.</p>
      ) : (
        <LedgerTable caption="Ledger entries" lines={lines} isNewest={cursor === null && request === null} marked={request} places={linePlaces(account.id)} />
      )}
      {nextCursor === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={accountHref(account.id, `/ledger?cursor=${nextCursor}`)}>
            Older entries
          </a>
        </p>
      )}
    </>
  )
}
