import type { Metadata } from 'next'
import { KeyTable } from '../../../components/portal/key-table.tsx'
import { ReviewNotice } from '../../../components/portal/review-notice.tsx'
import { ButtonLink } from '../../../components/ui/button.tsx'
import { portalCaller, signedIn } from '../../portal-caller.ts'

export const metadata: Metadata = { title: 'Keys' }

export default async function KeysPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const keys = await (await portalCaller()).keys.list()
  const working = keys.filter(({ state }) => state === 'active' || state === 'ending')
  const ended = keys.filter((key) => !working.includes(key))
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Keys</h1>
        <ButtonLink kind="primary" href="/portal/keys/new">
          Create key
        </ButtonLink>
      </div>
      {viewer.state === 'review' ? <ReviewNotice /> : null}
      {working.length > 0 ? <KeyTable keys={working} /> : <p>No keys yet. A test key is free and returns sample data.</p>}
      {ended.length === 0 ? null : (
        <details className="mt-8">
          <summary className="min-h-8 cursor-pointer font-medium">
            {ended.length} {ended.length === 1 ? 'key that no longer works' : 'keys that no longer work'}
          </summary>
          <div className="mt-2">
            <KeyTable keys={ended} />
          </div>
        </details>
      )}
    </>
  )
}
