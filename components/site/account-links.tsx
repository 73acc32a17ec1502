'use client'

import { lazy, Suspense, useCallback, useState, useSyncExternalStore } from 'react'
import { AccountLink } from './account-link.tsx'
import { hasSignedInMark } from './signed-in-mark.ts'
import { siteLink } from './site-link.ts'

// Loaded for signed-in readers only, because it imports the portal's queries.
const SignedInAccount = lazy(() => import('./signed-in-account.tsx').then((module) => ({ default: module.SignedInAccount })))

const never = () => () => undefined

const framed = 'min-h-9 items-center justify-center rounded-control border border-accent px-3 font-medium text-accent hover:bg-accent-wash max-lg:min-h-11'

/** Placeholder for the balance and the account link while they load. */
function Waiting() {
  return (
    <>
      <span className="min-w-24" />
      <AccountLink />
    </>
  )
}

type Props = {
  /** Classes of the sign-in link. */
  className: string
}

/**
 * Balance and account link of a signed-in reader, or the links to sign in and sign up. The page is the same for everyone, so it contains both, and its first
 * script marks the page if the reader is signed in. Once this component has loaded, only the ones that apply are left.
 */
export function AccountLinks({ className }: Props) {
  const hasSession = useSyncExternalStore(
    never,
    () => hasSignedInMark(document.cookie),
    () => null,
  )
  const [hasEnded, setEnded] = useState(false)
  const onSignedOut = useCallback(() => setEnded(true), [])
  const isOut = hasEnded || hasSession === false
  const isIn = hasSession === true && !hasEnded
  return (
    <>
      {isOut ? null : (
        <div className={`${isIn ? 'flex' : 'hidden signed-in:flex'} items-center gap-x-5 max-lg:mt-2 max-lg:border-t max-lg:border-line max-lg:pt-2`}>
          <Suspense fallback={<Waiting />}>{isIn ? <SignedInAccount onSignedOut={onSignedOut} /> : <Waiting />}</Suspense>
        </div>
      )}
      {isIn ? null : (
        <>
          <a href="/sign-in" className={`${siteLink} ${className} ${isOut ? '' : 'signed-in:hidden'}`}>
            Sign in
          </a>
          <a href="/sign-up" className={`flex ${framed} max-lg:mt-2 ${isOut ? '' : 'signed-in:hidden'}`}>
            Create account
          </a>
        </>
      )}
    </>
  )
}
