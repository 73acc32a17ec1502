import type { ReactNode } from 'react'
import { SiteShell } from '#components/site/site-shell.tsx'
import { TRPCQueries } from '#components/trpc/trpc-provider.tsx'
import { auth } from '#server/auth/auth.ts'

export default async function AuthLayout({ children }: { children: ReactNode }) {
  return (
    <SiteShell isSignedIn={(await auth()) !== null}>
      <TRPCQueries>
        <div className="mx-auto max-w-104">{children}</div>
      </TRPCQueries>
    </SiteShell>
  )
}
