'use client'

import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import { hasSignedInMark } from './signed-in-mark.ts'
import { siteLink } from './site-link.ts'

// Loaded for signed-in readers only, because it brings the portal's queries.
const AccountBalance = lazy(() => import('./account-balance.tsx').then((module) => ({ default: module.AccountBalance })))

const never = () => () => undefined

const framed = 'flex min-h-9 items-center justify-center rounded-control border border-accent px-3 font-medium text-accent hover:bg-accent-wash max-lg:min-h-11'

/** Balance and account link of a signed-in reader, or the links to sign in. The page itself is the same for everyone, so the browser fills this in. */
export function AccountLinks({ className }: { className: string }) {
  const hasSession = useSyncExternalStore(
    never,
    () => hasSignedInMark(document.cookie),
    () => false,
  )
  const [hasEnded, setEnded] = useState(false)
  const onSignedOut = useCallback(() => setEnded(true), [])
  if (hasSession && !hasEnded) {
    return (
      <div className="flex items-center gap-x-5 max-lg:mt-2 max-lg:border-t max-lg:border-line max-lg:pt-2">
        <span className="min-w-24 text-right whitespace-nowrap text-ink-2 tabular-nums max-lg:text-left">
          <Suspense fallback={null}>
            <AccountBalance onSignedOut={onSignedOut} />
          </Suspense>
        </span>
        <a href="/portal" className={`${framed} max-lg:grow`}>
          Your account
        </a>
      </div>
    )
  }
  return (
    <>
      <a href="/sign-in" className={`${siteLink} ${className}`}>
        Sign in
      </a>
      <a href="/sign-up" className={`${framed} max-lg:mt-2`}>
        Create account
      </a>
    </>
  )
}
