import type { Metadata } from 'next'
import { credits } from '#components/portal/amounts.ts'
import { EndedKeys, groupRotated, inactiveKeys, KeyTable, spentByKeys } from '#components/portal/key-table.tsx'
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

/** Line of the totals below the keys. */
function SumLine({ name, spent, isTotal = false }: { name: string; spent: number; isTotal?: boolean }) {
  const look = isTotal ? 'border-b-3 border-double border-line-strong font-medium' : 'border-b border-line'
  return (
    <div className={`flex justify-between gap-x-3 py-2 lg:pr-18 ${look}`}>
      <dt>{name}</dt>
      <dd className="whitespace-nowrap tabular-nums">
        {credits(spent)}
        <span className="sr-only"> this month</span>
      </dd>
    </div>
  )
}

type TotalsProps = {
  /** Credits that the whole account spent this month; null if they couldn't be loaded. */
  spent: number | null
  spentByWorking: number
  ended: { readonly count: number; readonly spentCredits: number }
}

/** Spend of the whole account, including what isn't in the list above: inactive keys and webhooks. */
function Totals({ spent, spentByWorking, ended }: TotalsProps) {
  const rest = (spent ?? 0) - spentByWorking - ended.spentCredits
  return (
    <>
      {spent === null ? null : (
        <dl className="text-table">
          {ended.spentCredits === 0 ? null : <SumLine name={inactiveKeys(ended.count)} spent={ended.spentCredits} />}
          {rest > 0 ? <SumLine name="Webhooks, and old keys after rotation" spent={rest} /> : null}
          <SumLine name="Whole account" spent={spent} isTotal />
        </dl>
      )}
      <p className="mt-3 text-note text-ink-2">
        Usage is per UTC day and includes today.{' '}
        <a className="prose-link" href="/portal/usage?days=30&by=key&show=calls">
          Usage by key
        </a>
      </p>
    </>
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
        <p>No keys yet. Test keys are free and return sample data.</p>
      )}
      {working.length === 0 ? null : <Totals spent={billing?.spendCap.spentCredits ?? null} spentByWorking={spentByKeys(working)} ended={ended} />}
      <EndedKeys keys={ended.keys} next={ended.next} count={ended.count} isPage={isPage} done={isKeyId(revoked) ? <Revoked id={revoked} /> : null} />
    </>
  )
}
