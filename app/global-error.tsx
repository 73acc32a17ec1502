'use client'

import { ServiceFault } from '#components/site/service-fault.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { fontClasses } from './fonts.ts'
import './theme.css'

/** Stands in for the layout when that itself fails, so it brings the whole page. Trying again is a link: it works even while scripts are still coming. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en-GB" className={fontClasses}>
      <body>
        <SiteShell isSignedIn>
          <ServiceFault reference={error.digest}>
            <ButtonLink kind="primary" href="">
              Try again
            </ButtonLink>
          </ServiceFault>
        </SiteShell>
      </body>
    </html>
  )
}
