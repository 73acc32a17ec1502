import type { Metadata } from 'next'
import { CallTable } from '#components/admin/account-activity.tsx'
import { AccountTop } from '#components/admin/account-top.tsx'
import { accountHref } from '#components/admin/section.tsx'
import { adminCaller, getAccount, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { adminNotFound } from '#server/pages/missing.tsx'

export const metadata: Metadata = { title: 'Account calls' }

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ failed?: string; before?: string }> }

const limit = 50

export default async function AccountCallsPage({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const account = await getAccount((await params).id)
  if (account === null) return adminNotFound()
  const { failed, before } = await searchParams
  const isFailed = failed === 'yes'
  const title = isFailed ? 'Failed calls' : 'Calls'
  const place = typeof before === 'string' && /^req_[0-9a-f]{32}$/.test(before) ? before : null
  const { requests, older } = await (await adminCaller()).admin.accounts.requests({ account: account.id, isFailed, before: place, limit })
  const all = accountHref(account.id, '/requests')
  return (
    <>
      <AccountTop account={account} title={title} />
      <p className="mb-4">
        <a className="prose-link" href={isFailed ? all : `${all}?failed=yes`}>
          {isFailed ? 'Show all calls' : 'Show failed calls only'}
        </a>
      </p>
      {requests.length === 0 ? (
        <p>No {title.toLowerCase()} in the last 30 days.</p>
      ) : (
        <CallTable caption="Calls, newest first" account={account.id} calls={requests} />
      )}
      {older === null ? null : (
        <p className="mt-3">
          <a className="prose-link" href={`${all}?before=${older}${isFailed ? '&failed=yes' : ''}`}>
            Older calls
          </a>
        </p>
      )}
    </>
  )
}
