import type { Metadata } from 'next'
import { LicenceDraft } from '#components/admin/publishing/licence-draft.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missingThing } from '#server/pages/missing.tsx'
import { discardLicenceAction, publishLicenceAction, rewriteLicenceAction } from '../actions.ts'

export const metadata: Metadata = { title: 'Draft version' }

const actions = { publish: publishLicenceAction, rewrite: rewriteLicenceAction, discard: discardLicenceAction }

export default async function LicenceDraftPage({ params }: { params: Promise<{ id: string }> }) {
  if (await lacksAdminAccess()) return null
  const [{ id }, { admin, licence }] = [await params, await adminCaller()]
  const shown = await found(admin.licences.read({ id }))
  if (shown === null) return missingThing()
  const { label } = await licence.current()
  return (
    <>
      <h1 className="text-h1 font-semibold tracking-tight">Draft {shown.draft.label}</h1>
      <LicenceDraft {...shown} before={label} actions={actions} />
    </>
  )
}
