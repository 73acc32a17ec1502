import type { Metadata } from 'next'
import { requestPlaces } from '#components/admin/account-top.tsx'
import { accountHref } from '#components/admin/section.tsx'
import { RequestDetail } from '#components/portal/request-detail.tsx'
import { getCurl } from '#components/portal/snippets.ts'
import { currentAuthContext } from '#server/auth/current-request.ts'
import { adminCaller, getAccount, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { adminNotFound } from '#server/pages/missing.tsx'

export const metadata: Metadata = { title: 'Account call' }

type Props = { params: Promise<{ id: string; requestId: string }> }

export default async function AccountCallPage({ params }: Props) {
  if (await lacksAdminAccess()) return null
  const { id, requestId } = await params
  const account = await getAccount(id)
  const request = account === null ? null : await found((await adminCaller()).admin.accounts.request({ account: id, id: requestId }))
  if (account === null || request === null) return adminNotFound()
  const { publicUrl } = await currentAuthContext()
  return (
    <div className="max-w-200">
      <p className="mb-2">
        <a className="prose-link wrap-anywhere" href={accountHref(id)}>
          {account.email}
        </a>
      </p>
      <RequestDetail request={request} curl={getCurl(request, `${publicUrl}/v1`)} places={requestPlaces(id)} />
    </div>
  )
}
