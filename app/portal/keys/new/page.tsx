import type { Metadata } from 'next'
import { NewKeyForm } from '#components/portal/new-key-form.tsx'
import { reviewState } from '#components/portal/portal-notices.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { scopes } from '#server/api/contract/access.ts'
import type { Viewer } from '#server/auth/viewer.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { apiUrl } from '#server/pages/site-data.ts'

export const metadata: Metadata = { title: 'Create key' }

type Props = { searchParams: Promise<{ mode?: string }> }

/** Returns a note that live keys don't work until the account is approved; null if the account isn't in review. */
function liveKeyNote({ state, confirmedAt, declineReason }: Viewer): string | null {
  if (state !== 'review') return null
  if (declineReason !== null) return "Your account was not approved, so live keys won't work. Test keys do."
  return `We're reviewing your account. This key will work once your account is approved. We'll email you when it is. ${reviewState(confirmedAt)}`
}

export default async function NewKeyPage({ searchParams }: Props) {
  const viewer = await signedIn()
  const { mode } = await searchParams
  return (
    <div className="max-w-304">
      <PageHead title="Create key" parent={{ href: '/portal/keys', name: 'Keys' }} />
      {viewer.isConfirmed ? (
        <NewKeyForm
          scopes={Object.entries(scopes).map(([name, opens]) => ({ name, opens }))}
          firstMode={mode === 'live' ? 'live' : 'test'}
          liveNote={liveKeyNote(viewer)}
          apiUrl={await apiUrl()}
        />
      ) : (
        <p>Confirm your email before creating a key.</p>
      )}
    </div>
  )
}
