'use client'

import { ServiceFault } from '#components/site/fault-pages.tsx'
import { FaultShell } from '#components/site/fault-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'

/** Error page. "Try again" reloads the page, because rendering the same data would fail again. */
export default function ErrorPage({ error }: { error: Error & { digest?: string } }) {
  return (
    <FaultShell>
      <ServiceFault reference={error.digest}>
        <ButtonLink kind="primary" href="">
          Try again
        </ButtonLink>
      </ServiceFault>
    </FaultShell>
  )
}
