import type { Metadata } from 'next'
import { AccountPage } from '#components/admin/account-page.tsx'
import { getAccount, lacksAdminAccess, loadAccountPage } from '#server/pages/admin/admin-pages.ts'
import { adminNotFound, missingMetadata } from '#server/pages/missing.tsx'
import {
  addNoteAction,
  approveAction,
  blockAction,
  declineAction,
  endSessionsAction,
  revokeKeyAction,
  setLimitsAction,
  setPlanAction,
  setWebhooksAction,
  unblockAction,
} from '../actions.ts'

type Props = { params: Promise<{ id: string }>; searchParams: Promise<{ done?: string; before?: string }> }

const actions = {
  approve: approveAction,
  decline: declineAction,
  block: blockAction,
  unblock: unblockAction,
  setPlan: setPlanAction,
  setLimits: setLimitsAction,
  setWebhooks: setWebhooksAction,
  revokeKey: revokeKeyAction,
  endSessions: endSessionsAction,
  addNote: addNoteAction,
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return { title: 'Account' }
  return (await getAccount((await params).id)) === null ? missingMetadata : { title: 'Account' }
}

export default async function AccountPageOf({ params, searchParams }: Props) {
  if (await lacksAdminAccess()) return null
  const { done, before } = await searchParams
  const data = await loadAccountPage((await params).id, typeof before === 'string' && /^\d{1,18}$/.test(before) ? before : null)
  if (data === null) return adminNotFound()
  return <AccountPage data={data} actions={actions} done={typeof done === 'string' ? done : undefined} />
}
