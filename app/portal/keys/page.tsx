import type { Metadata } from 'next'
import { EndedKeys } from '../../../components/portal/ended-keys.tsx'
import { KeyTable } from '../../../components/portal/key-table.tsx'
import { ReviewNotice } from '../../../components/portal/review-notice.tsx'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { portalCaller, signedIn } from '../../portal-caller.ts'

export const metadata: Metadata = { title: 'Keys' }

type Props = { searchParams: Promise<{ before?: string }> }

export default async function KeysPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { before } = await searchParams
  const isPage = before !== undefined && /^key_[0-9A-Za-z]{1,60}$/.test(before)
  const portal = await portalCaller()
  const [keys, ended] = await Promise.all([portal.keys.list(), portal.keys.ended({ before: isPage ? before : null })])
  const working = keys.filter(({ state }) => state === 'active' || state === 'ending')
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Keys</h1>
        <ButtonLink kind="primary" href="/portal/keys/new">
          Create key
        </ButtonLink>
      </div>
      {viewer.isConfirmed && viewer.state === 'review' ? <ReviewNotice declineReason={viewer.declineReason} /> : null}
      {working.length > 0 ? <KeyTable keys={working} /> : <p>No keys yet. A test key is free and returns sample data.</p>}
      <EndedKeys {...ended} isOpen={isPage} />
    </>
  )
}
