'use client'

import { ServiceFault } from '#components/site/fault-pages.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'

/**
 * Error page. "Try again" reloads the page, because rendering the same data would fail again. The session is unknown here, so the account link is always shown.
 */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <SiteShell isSignedIn>
      <ServiceFault reference={error.digest}>
        <ButtonLink kind="primary" href="">
          Try again
        </ButtonLink>
      </ServiceFault>
    </SiteShell>
  )
}
