import type { Metadata } from 'next'
import { AccountFigures } from '../../components/portal/account-figures.tsx'
import { FirstSteps } from '../../components/portal/first-steps.tsx'
import { KeyTable } from '../../components/portal/key-table.tsx'
import { ReviewNotice } from '../../components/portal/review-notice.tsx'
import { ButtonLink } from '../../components/ui/button.tsx'
import { portalCaller, signedIn } from '../portal-caller.ts'

export const metadata: Metadata = { title: 'Overview' }

const keysShown = 5

export default async function OverviewPage() {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const portal = await portalCaller()
  const [overview, keys, last] = await Promise.all([portal.account.overview(), portal.keys.list(), portal.account.lastRequest()])
  const working = keys.filter(({ state }) => state === 'active' || state === 'ending')
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Overview</h1>
        <ButtonLink kind="primary" href="/portal/keys/new">
          Create key
        </ButtonLink>
      </div>
      {viewer.state === 'review' ? <ReviewNotice /> : null}
      <AccountFigures overview={overview} />
      {last === null ? <FirstSteps hasKey={working.length > 0} /> : null}
      {working.length === 0 ? null : (
        <section aria-labelledby="keys" className="mt-10">
          <h2 id="keys" className="mb-2 text-h2 font-semibold">
            Keys
          </h2>
          <KeyTable keys={working.slice(0, keysShown)} />
          <p className="mt-3">
            <a className="prose-link" href="/portal/keys">
              All keys
            </a>
          </p>
        </section>
      )}
    </>
  )
}
