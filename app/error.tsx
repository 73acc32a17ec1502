'use client'

import { SiteShell } from '../components/site/site-shell.tsx'
import { Button } from '../components/ui/button.tsx'

type Props = { error: Error & { digest?: string }; reset: () => void }

export default function ErrorPage({ error, reset }: Props) {
  return (
    <SiteShell>
      <title>There is a problem with the service – Savings Rates API</title>
      <h1 className="text-hero font-semibold tracking-tight text-balance">There is a problem with the service</h1>
      <p className="mt-4 max-w-[68ch] text-prose text-ink-2">Nothing was charged. Your keys and credits are not affected.</p>
      {error.digest === undefined ? null : (
        <p className="mt-2 text-ink-2">
          Reference <code className="font-mono">{error.digest}</code>
        </p>
      )}
      <p className="mt-6">
        <Button kind="primary" type="button" onClick={reset}>
          Try again
        </Button>
      </p>
    </SiteShell>
  )
}
