import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { findAdminPage } from '#components/admin/admin-pages.ts'
import { AdminShell, SecondFactorFirst } from '#components/admin/admin-shell.tsx'
import { TimesIn } from '#components/data/time.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SignedOutNotice, TRPCQueries } from '#components/trpc/trpc-provider.tsx'
import { currentAsker, currentAuthContext, currentCsrfToken, currentPath } from '#server/auth/current-request.ts'
import { logRefusedAdmin } from '#server/auth/security-history.ts'
import { mayAdminister } from '#server/auth/viewer.ts'
import { currentAdmin } from '#server/pages/admin/admin-pages.ts'
import { missing } from '#server/pages/missing.tsx'

export const metadata: Metadata = { robots: { index: false } }

/** Checks again that the user is an administrator, in case a request gets past proxy.ts. */
export default async function AdminLayout({ children }: { children: ReactNode }) {
  const viewer = await currentAdmin()
  if (viewer === null) return missing()
  const isOpen = mayAdminister(viewer)
  if (!isOpen) logRefusedAdmin(await currentAuthContext(), (await currentAsker()).address, viewer.publicId, await currentPath())
  return (
    <TRPCQueries isPost>
      <TimesIn zone={viewer.timeZone}>
        <AdminShell current={findAdminPage(await currentPath())} who={{ name: viewer.name, email: viewer.email }} csrfToken={await currentCsrfToken()}>
          <NeedsScripts />
          <SignedOutNotice />
          {isOpen ? children : <SecondFactorFirst isSetUp={viewer.hasSecondFactor} />}
        </AdminShell>
      </TimesIn>
    </TRPCQueries>
  )
}
