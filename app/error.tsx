'use client'

import { ServiceFault } from '#components/site/service-fault.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'

/** Trying again loads the page anew: to draw once more what has come would fail once more. Who is signed in is not known here; the way to the account asks. */
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
