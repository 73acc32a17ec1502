'use client'

import { useSuspenseQuery } from '@tanstack/react-query'
import { ChevronRight } from 'lucide-react'
import { Time } from '#components/data/time.tsx'
import { ago } from '#components/data/time-format.ts'
import { number } from '#components/portal/amounts.ts'
import { useTRPC } from '#components/trpc/trpc-provider.tsx'
import { Heading, type Outputs, Section } from './kit/layout.tsx'
import { FreshnessNotice } from './market/freshness.tsx'
import { TrendCharts } from './trend-charts.tsx'

type Waiting = Outputs['now']['list']
type Kind = keyof Waiting

/** Larger counts are shown as “More than 1,000”. */
const maxCounted = 1_000

/** Kinds of open work, most urgent first, with their labels and pages. */
const kinds: Readonly<Record<Kind, { readonly one: string; readonly many: string; readonly href: string }>> = {
  incidents: { one: 'incident to resolve', many: 'incidents to resolve', href: '/admin/incidents' },
  failedSources: { one: 'source that failed today', many: 'sources that failed today', href: '/admin/imports' },
  figures: { one: 'outdated public statistic', many: 'outdated public statistics', href: '/admin/quality#figures' },
  tickets: { one: 'message to answer', many: 'messages to answer', href: '/admin/support' },
  imports: { one: 'quarantined import to review', many: 'quarantined imports to review', href: '/admin/imports' },
  review: { one: 'account to review', many: 'accounts to review', href: '/admin/review' },
  proposals: { one: 'credit adjustment to approve', many: 'credit adjustments to approve', href: '/admin/credits' },
  asked: { one: 'webhook access request', many: 'webhook access requests', href: '/admin/accounts?standing=asked' },
  dead: { one: 'endpoint with failed deliveries', many: 'endpoints with failed deliveries', href: '/admin/deliveries' },
  debt: { one: 'account in debt', many: 'accounts in debt', href: '/admin/accounts?standing=debt' },
  quality: { one: 'implausible rate', many: 'implausible rates', href: '/admin/quality' },
}

/** Work that customers notice while it is open. */
const urgent: ReadonlySet<Kind> = new Set(['incidents', 'failedSources', 'dead', 'debt'])

const kindNames = Object.keys(kinds) as Kind[]

function Task({ kind, waiting: { count, oldest } }: { kind: Kind; waiting: Waiting[Kind] }) {
  const { one, many, href } = kinds[kind]
  return (
    <li className="relative flex flex-wrap items-center gap-x-3 gap-y-0.5 px-4 py-3 hover:bg-hover">
      <span aria-hidden="true" className={`size-2 shrink-0 rounded-full ${urgent.has(kind) ? 'bg-danger' : 'bg-caution'}`} />
      <a className="font-medium after:absolute after:inset-0" href={href}>
        {count > maxCounted ? `More than ${number(maxCounted)}` : number(count)} {count === 1 ? one : many}
      </a>
      {oldest === null ? null : (
        <span className="text-note text-ink-2 max-sm:basis-full max-sm:pl-5 sm:ml-auto">
          Oldest: <Time at={oldest}>{ago(oldest, new Date())}</Time>
        </span>
      )}
      <ChevronRight aria-hidden="true" className="size-4 text-ink-3 max-sm:absolute max-sm:top-3.5 max-sm:right-3" />
    </li>
  )
}

/** Open work for administrators, and freshness of the data. Kinds without open items are hidden. */
export function AdminOverview() {
  const { admin } = useTRPC()
  const { data } = useSuspenseQuery(admin.now.list.queryOptions())
  const { data: morning } = useSuspenseQuery(admin.imports.morning.queryOptions())
  const busy = kindNames.filter((kind) => data[kind].count > 0)
  return (
    <>
      <Heading title="Now" />
      <Section id="to-do" title="Needs attention">
        {busy.length === 0 ? (
          <p className="rounded-panel border border-line px-4 py-3">Nothing to do.</p>
        ) : (
          <ul className="divide-y divide-line overflow-hidden rounded-panel border border-line">
            {busy.map((kind) => (
              <Task key={kind} kind={kind} waiting={data[kind]} />
            ))}
          </ul>
        )}
        <div className="mt-4">
          <FreshnessNotice morning={morning} />
        </div>
      </Section>
      <TrendCharts hasSources={morning.sources.length > 0} />
    </>
  )
}
