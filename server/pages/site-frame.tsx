import type { ComponentProps } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { bringsSession } from '#server/auth/current-request.ts'

/**
 * The frame of a public page, with the way back for whoever is signed in. That the browser brings a sign-in is enough to know: whether it still holds is looked up
 * by the pages that depend on it.
 */
export async function SiteFrame(props: Omit<ComponentProps<typeof SiteShell>, 'isSignedIn'>) {
  return <SiteShell {...props} isSignedIn={await bringsSession()} />
}
