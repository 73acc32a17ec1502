'use client'

import { useSyncExternalStore } from 'react'
import { Notice } from '#components/ui/notice.tsx'
import { useSignedOut } from './portal-queries.tsx'

const never = () => () => undefined
const hereNow = () => `${location.pathname}${location.search}`

/** Says that the sign-in has ended while the page was open. What the page shows stays, and is as old as it is; signed in again, the page goes on by itself. */
export function SignedOutNotice() {
  const isSignedOut = useSignedOut()
  const here = useSyncExternalStore(never, hereNow, () => '/portal')
  return (
    <div aria-live="assertive" className="not-empty:mb-6">
      {isSignedOut ? (
        <Notice tone="caution">
          You were signed out.{' '}
          <a className="prose-link" href={`/sign-in?next=${encodeURIComponent(here)}`}>
            Sign in
          </a>
        </Notice>
      ) : null}
    </div>
  )
}
