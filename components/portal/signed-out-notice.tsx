'use client'

import { useSyncExternalStore } from 'react'
import { Notice } from '#components/ui/notice.tsx'
import { useSignedOut } from './portal-queries.tsx'

const never = () => () => undefined
const hereNow = () => `${location.pathname}${location.search}`

/** Reports that the session ended while the page was open. The content stays; after signing in again the page continues. */
export function SignedOutNotice() {
  const isSignedOut = useSignedOut()
  const here = useSyncExternalStore(never, hereNow, () => '/portal')
  return (
    <div aria-live="assertive" className="not-empty:mb-6">
      {isSignedOut ? (
        <Notice tone="caution">
          You've been signed out.{' '}
          <a className="prose-link" href={`/sign-in?next=${encodeURIComponent(here)}`}>
            Sign in
          </a>
        </Notice>
      ) : null}
    </div>
  )
}
