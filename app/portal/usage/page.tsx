import type { Metadata } from 'next'
import { FailedPanel } from '#components/portal/missing-content.tsx'
import { Usage } from '#components/portal/usage.tsx'
import { UsageControls } from '#components/portal/usage-controls.tsx'
import { lastDays, readUsageView, usageHref } from '#components/portal/usage-view.ts'
import { ButtonLink } from '#components/ui/button.tsx'
import { loaded } from '#server/pages/load.ts'
import { portalCaller, signedIn } from '#server/pages/portal-caller.ts'

export const metadata: Metadata = { title: 'Usage' }

type Search = Promise<Readonly<Record<string, string | string[] | undefined>>>

export default async function UsagePage({ searchParams }: { searchParams: Search }) {
  const viewer = await signedIn()
  if (viewer.state === 'blocked') return null
  const now = new Date(Date.now())
  const view = readUsageView(await searchParams, now)
  const { to: today } = lastDays(1, now)
  const { from, to, by } = view
  const usage = await loaded((await portalCaller()).usage.report({ from, to, by }))
  return (
    <>
      <div className="mb-6 flex flex-wrap items-center justify-between gap-4">
        <h1 className="text-h1 font-semibold tracking-tight">Usage</h1>
        <ButtonLink kind="primary" href={`/portal/usage/csv?${new URLSearchParams({ from, to })}`} download>
          Download CSV
        </ButtonLink>
      </div>
      <UsageControls view={view} today={today} />
      {usage.data === null ? (
        <FailedPanel
          what="your usage"
          reference={usage.reference}
          again={
            <ButtonLink kind="second" href={usageHref(view)}>
              Try again
            </ButtonLink>
          }
        />
      ) : (
        <Usage usage={usage.data} view={view} today={today} />
      )}
    </>
  )
}
