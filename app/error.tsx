'use client'

import { ServiceFault } from '../components/site/service-fault.tsx'
import { SiteShell } from '../components/site/site-shell.tsx'
import { Button } from '../components/ui/button.tsx'

type Props = { error: Error & { digest?: string }; reset: () => void }

export default function ErrorPage({ error, reset }: Props) {
  return (
    <SiteShell>
      <ServiceFault reference={error.digest}>
        <Button kind="primary" type="button" onClick={reset}>
          Try again
        </Button>
      </ServiceFault>
    </SiteShell>
  )
}
