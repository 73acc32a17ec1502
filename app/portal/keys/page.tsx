import type { Metadata } from 'next'
import { groupRotated, KeyTable, spentByKeys } from '#components/portal/key-table.tsx'
import { EndedKeys, KeyTotals } from '#components/portal/key-totals.tsx'
import { keyUse } from '#components/portal/key-use.ts'
import { ReviewNotice } from '#components/portal/portal-notices.tsx'
import { lastDays } from '#components/portal/usage-view.ts'
import { ChangeLink } from '#components/ui/change-link.tsx'
import { PageHead } from '#components/ui/page-head.tsx'
import { getRoleFault } from '#server/auth/page-access.ts'
import { found, loaded } from '#server/pages/load.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Keys' }

type Props = { searchParams: Promise<{ before?: string; revoked?: string }> }

const isKeyId = (id: string | undefined): id is string => id !== undefined && /^key_[0-9A-Za-z]{1,60}$/.test(id)

/** Renders the confirmation that a key was revoked. */
async function Revoked({ id }: { id: string }) {
  const key = await found((await portalCaller()).keys.read({ id }))
  if (key?.state !== 'revoked') return null
  return (
    <p role="status" className="mb-3 font-medium">
      Revoked {key.name === '' ? 'an unnamed key' : key.name}. Calls with it return 403.
    </p>
  )
}

export default async function KeysPage({ searchParams }: Props) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const { before, revoked } = await searchParams
  const mayCreate = getRoleFault(viewer, '/portal/keys') === null
  const isPage = isKeyId(before)
  const portal = await portalCaller()
  const [keys, ended, { data: usage }, { data: billing }] = await Promise.all([
    portal.keys.list(),
    portal.keys.ended({ before: isPage ? before : null }),
    loaded(portal.usage.report({ ...lastDays(14, new Date(Date.now())), by: 'key' })),
    loaded(portal.billing.overview()),
  ])
  const working = groupRotated(keys.filter(({ state }) => state === 'active' || state === 'ending'))
  return (
    <>
      <PageHead title="Keys">
        {mayCreate ? (
          <ChangeLink kind="primary" size="compact" href="/portal/keys/new">
            Create key
          </ChangeLink>
        ) : null}
      </PageHead>
      {viewer.isConfirmed && viewer.state === 'review' ? <ReviewNotice {...viewer} /> : null}
      {working.length > 0 ? (
        <KeyTable keys={working} usage={usage === null ? null : keyUse(usage)} />
      ) : (
        <p className="mb-6">No keys yet. Test keys are free and return sample data.</p>
      )}
      <EndedKeys {...ended} isPage={isPage} done={isKeyId(revoked) ? <Revoked id={revoked} /> : null} />
      {working.length === 0 ? null : <KeyTotals spent={billing?.spendCap.spentCredits ?? null} spentByKeys={spentByKeys(working) + ended.spentCredits} />}
    </>
  )
}
