import type { ReactNode } from 'react'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SiteShell } from '#components/site/site-shell.tsx'
import { TRPCQueries } from '#components/trpc/trpc-provider.tsx'

export default function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell>
      <TRPCQueries>
        <div className="mx-auto max-w-104">
          <NeedsScripts />
          {children}
        </div>
      </TRPCQueries>
    </SiteShell>
  )
}
