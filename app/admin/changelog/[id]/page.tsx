import type { Metadata } from 'next'
import { ChangeDraft } from '#components/admin/publishing/change-draft.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'
import { discardChangeAction, publishChangeAction, rewriteChangeAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Draft entry' }

const actions = { publish: publishChangeAction, rewrite: rewriteChangeAction, discard: discardChangeAction }

export default async function ChangeDraftPage({ params }: { params: Promise<{ id: string }> }) {
  if (await lacksAdminAccess()) return null
  const [{ id }, { admin }] = [await params, await adminCaller()]
  const shown = await found(admin.changelog.read({ id }))
  if (shown === null) return missingThing()
  return (
    <>
      <h1 className="text-h1 font-semibold tracking-tight">Draft entry</h1>
      <ChangeDraft {...shown} today={new Date()} actions={actions} />
    </>
  )
}
