'use client'

import { ServiceFault } from '#components/site/fault-pages.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'

/** Error page. "Try again" reloads the page, because rendering the same data would fail again. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <SiteShell>
      <ServiceFault reference={error.digest}>
        <ButtonLink kind="primary" href="">
          Try again
        </ButtonLink>
      </ServiceFault>
    </SiteShell>
  )
}
