import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ViewAsBanner } from '#components/admin/view-as-banner.tsx'
import { TimesIn } from '#components/data/time.tsx'
import { Balance } from '#components/portal/balance.tsx'
import { LocalTimes } from '#components/portal/local-times.tsx'
import { PortalNotices } from '#components/portal/portal-notices.tsx'
import { getPortalPage } from '#components/portal/portal-pages.ts'
import { PortalShell } from '#components/portal/portal-shell.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SignedOutNotice, TRPCQueries } from '#components/trpc/trpc-provider.tsx'
import { ReadOnly } from '#components/ui/form-context.tsx'
import { utc } from '#server/api/contract/time-zones.ts'
import { currentCsrfToken, currentPath } from '#server/auth/current-request.ts'
import { currentViewAs, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { robots: { index: false } }

export default async function PortalLayout({ children }: { children: ReactNode }) {
  const viewer = await signedIn()
  const path = await currentPath()
  const csrfToken = await currentCsrfToken()
  const viewing = await currentViewAs()
  const isBlocked = viewer.state === 'blocked'
  const shell = (balance: ReactNode) => (
    <TimesIn zone={viewer.timeZone}>
      <PortalShell
        current={getPortalPage(path)}
        who={{ name: viewer.name, email: viewer.email }}
        isAdmin={viewer.isAdmin}
        balance={balance}
        csrfToken={csrfToken}
      >
        {viewing === null ? null : <ViewAsBanner account={viewing.publicId} email={viewer.email} endsAt={viewing.endsAt} />}
        <NeedsScripts />
        <SignedOutNotice />
        <ReadOnly isOn={viewing !== null}>
          <PortalNotices viewer={viewer} path={path} />
          {/* A blocked account can still contact support. */}
          {isBlocked && !path.startsWith('/portal/help') ? null : children}
        </ReadOnly>
        {viewer.timeZone === utc ? <LocalTimes /> : null}
      </PortalShell>
    </TimesIn>
  )
  return (
    <TRPCQueries>
      {isBlocked ? (
        shell(null)
      ) : (
        <Prefetched queries={(client, portal) => [client.prefetchQuery(portal.account.overview.queryOptions())]}>{shell(<Balance />)}</Prefetched>
      )}
    </TRPCQueries>
  )
}
