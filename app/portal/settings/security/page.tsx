import type { Metadata } from 'next'
import { SecuritySettings } from '#components/portal/settings/security-settings.tsx'
import { Notice } from '#components/ui/notice.tsx'
import { limitedFault } from '#server/api/contract/teams.ts'
import { signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { title: 'Security' }

const messages: Readonly<Record<string, string>> = {
  email: 'Email changed.',
  connected: 'Account connected.',
  unlinked: "You haven't connected single sign-on yet. Connect it below.",
  'not-connected':
    "The account wasn't connected. If you took longer than 15 minutes, try again. If another user has already connected it, use a different account or ask them to disconnect it first.",
}

type Props = { searchParams: Promise<{ done?: string }> }

export default async function SecurityPage({ searchParams }: Props) {
  const { member, isConfirmed, isAdmin, state, limitedTo } = await signedIn()
  if (state === 'blocked') return null
  if (limitedTo !== null) return <Notice tone="info">{limitedFault}</Notice>
  const { done = '' } = await searchParams
  const message = messages[done]
  return (
    <>
      {message === undefined ? null : (
        <div className="mb-6">
          <Notice tone={done === 'not-connected' || done === 'unlinked' ? 'caution' : 'good'}>{message}</Notice>
        </div>
      )}
      <Prefetched
        queries={(client, { security, session }) => [client.prefetchQuery(security.read.queryOptions()), client.prefetchQuery(session.list.queryOptions())]}
      >
        <SecuritySettings email={member.email} isConfirmed={isConfirmed} isAdmin={isAdmin} />
      </Prefetched>
    </>
  )
}
