'use client'

import { ServiceFault } from '#components/site/fault-pages.tsx'
import { FaultShell } from '#components/site/fault-shell.tsx'
import { ButtonLink } from '#components/ui/button.tsx'
import { fontClasses } from './fonts.ts'
import './theme.css'

/** Replaces the root layout if it fails, so it renders the whole document. "Try again" is a link, which works even before scripts have loaded. */
export default function GlobalError({ error }: { error: Error & { digest?: string } }) {
  return (
    <html lang="en-GB" className={fontClasses}>
      <body>
        <FaultShell>
          <ServiceFault reference={error.digest}>
            <ButtonLink kind="primary" href="">
              Try again
            </ButtonLink>
          </ServiceFault>
        </FaultShell>
      </body>
    </html>
  )
}
