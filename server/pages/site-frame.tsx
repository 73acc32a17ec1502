import type { ComponentProps } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { bringsSession } from '#server/auth/current-request.ts'

/**
 * Frame of a public page, with an account link for signed-in users. Only checks that the request has a session cookie; pages that need the session verify it.
 */
export async function SiteFrame(props: Omit<ComponentProps<typeof SiteShell>, 'isSignedIn'>) {
  return <SiteShell {...props} isSignedIn={await bringsSession()} />
}
