import type { Metadata } from 'next'
import { LeaveView } from '#components/admin/viewing-banner.tsx'
import { Time } from '#components/data/time.tsx'
import { lacksAdminAccess } from '#server/pages/admin-caller.ts'
import { currentViewing } from '#server/pages/portal-caller.ts'
import { leaveViewAction } from './actions.ts'

export const metadata: Metadata = { title: 'Viewing' }

/** Where an administrator is led whose look at a portal has ended by itself. */
export default async function ViewingPage() {
  if (await lacksAdminAccess()) return null
  const viewing = await currentViewing()
  return (
    <>
      <h1 className="mb-6 text-h1 font-semibold tracking-tight">Viewing</h1>
      {viewing === null ? (
        <p>You look at your own portal.</p>
      ) : (
        <>
          <p className="text-pretty wrap-anywhere">
            {viewing.as === null ? 'Your view of' : 'You view'} {viewing.publicId}
            {viewing.as === null ? ' is over since ' : ' until '}
            <Time at={viewing.endsAt} isStop />.
          </p>
          <LeaveView leave={leaveViewAction}>Go back to my own portal</LeaveView>
        </>
      )}
    </>
  )
}
