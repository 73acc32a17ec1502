import type { Metadata } from 'next'
import { cache } from 'react'
import { beginViewAsAction } from '#app/admin/viewing/actions.ts'
import { Person } from '#components/admin/section.tsx'
import { BeginViewAs } from '#components/admin/view-as.tsx'
import { adminCaller, lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { found } from '#server/pages/load.ts'
import { missing, missingMetadata } from '#server/pages/missing.tsx'

type Props = { params: Promise<{ id: string }> }

const getViewable = cache(async (id: string) => found((await adminCaller()).admin.viewing.read({ account: id })))

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  if (await lacksAdminAccess()) return {}
  return (await getViewable((await params).id)) === null ? missingMetadata : { title: 'View portal' }
}

export default async function BeginViewingPage({ params }: Props) {
  if (await lacksAdminAccess()) return null
  const { id } = await params
  const viewable = await getViewable(id)
  if (viewable === null) return missing()
  return (
    <div className="max-w-120">
      <p className="mb-2">
        <a className="prose-link wrap-anywhere" href={`/admin/accounts/${id}`}>
          <Person id={id} email={viewable.email} />
        </a>
      </p>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">View as this account</h1>
      <BeginViewAs account={id} {...viewable} action={beginViewAsAction} />
    </div>
  )
}
