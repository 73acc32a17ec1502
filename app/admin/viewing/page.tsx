import type { Metadata } from 'next'
import { EndView } from '#components/admin/view-as-banner.tsx'
import { Time } from '#components/data/time.tsx'
import { lacksAdminAccess } from '#server/pages/admin/admin-pages.ts'
import { currentViewAs } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'View as' }

/** Page that replaces the portal when a view-as session has expired. */
export default async function ViewingPage() {
  if (await lacksAdminAccess()) return null
  const viewing = await currentViewAs()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">View as</h1>
      {viewing === null ? (
        <p>You’re viewing your own portal.</p>
      ) : (
        <>
          <p className="text-pretty wrap-anywhere">
            Viewing as {viewing.publicId} {viewing.as === null ? 'ended ' : 'ends '}
            <Time at={viewing.endsAt} isStop />.
          </p>
          <EndView next={`/admin/accounts/${viewing.publicId}/viewing`}>Go back to my own portal</EndView>
        </>
      )}
    </>
  )
}
