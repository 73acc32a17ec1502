import type { Metadata } from 'next'
import type { ReactNode } from 'react'
import { ViewAsBanner } from '#components/admin/view-as-banner.tsx'
import { TimesIn } from '#components/data/time.tsx'
import { Balance } from '#components/portal/balance.tsx'
import { LocalTimes } from '#components/portal/local-times.tsx'
import { MemberNotices } from '#components/portal/member-notices.tsx'
import { PortalNotices } from '#components/portal/portal-notices.tsx'
import { getPortalPage } from '#components/portal/portal-pages.ts'
import { PortalShell } from '#components/portal/portal-shell.tsx'
import { NeedsScripts } from '#components/site/needs-scripts.tsx'
import { SignedOutNotice, TRPCQueries } from '#components/trpc/trpc-provider.tsx'
import { ReadOnly } from '#components/ui/form-context.tsx'
import { toLabel } from '#server/api/contract/teams.ts'
import { utc } from '#server/api/contract/time-zones.ts'
import { currentCsrfToken, currentPath } from '#server/auth/current-request.ts'
import { getRoleFault, isPersonalPage } from '#server/auth/page-access.ts'
import { currentViewAs, portalCaller, signedIn } from '#server/pages/portal-caller.ts'
import { Prefetched } from '#server/pages/prefetched.tsx'

export const metadata: Metadata = { robots: { index: false } }

export default async function PortalLayout({ children }: { children: ReactNode }) {
  const viewer = await signedIn()
  const path = await currentPath()
  const csrfToken = await currentCsrfToken()
  const viewing = await currentViewAs()
  const accounts = viewing === null ? await (await portalCaller()).session.accounts() : []
  const isBlocked = viewer.state === 'blocked'
  const hasFigures = !isBlocked && viewer.member.role !== null
  const roleFault = getRoleFault(viewer, path)
  const shell = (balance: ReactNode) => (
    <TimesIn zone={viewer.timeZone}>
      <PortalShell
        current={getPortalPage(path)}
        who={{ name: viewer.member.name, email: viewer.member.email }}
        accounts={accounts}
        shown={{ publicId: viewer.publicId, label: toLabel(viewer) }}
        isAdmin={viewer.isAdmin}
        isLimited={viewer.limitedTo !== null}
        isViewing={viewing !== null}
        balance={balance}
        csrfToken={csrfToken}
      >
        {viewing === null ? null : <ViewAsBanner account={viewing.publicId} email={viewer.email} endsAt={viewing.endsAt} />}
        <NeedsScripts />
        <SignedOutNotice />
        <MemberNotices lost={viewer.lost} own={viewer.publicId} fault={viewer.lost?.publicId === viewer.publicId ? null : roleFault} csrfToken={csrfToken} />
        <ReadOnly isOn={viewing !== null || (roleFault !== null && !isPersonalPage(path))}>
          <PortalNotices viewer={viewer} path={path} />
          {/* A blocked account can still contact support. */}
          {isBlocked && !path.startsWith('/portal/help') ? null : children}
        </ReadOnly>
        {viewer.timeZone === utc ? <LocalTimes /> : null}
      </PortalShell>
    </TimesIn>
  )
  return (
    <TRPCQueries account={viewer.publicId}>
      {!hasFigures ? (
        shell(null)
      ) : (
        <Prefetched queries={(client, portal) => [client.prefetchQuery(portal.account.overview.queryOptions())]}>{shell(<Balance />)}</Prefetched>
      )}
    </TRPCQueries>
  )
}
