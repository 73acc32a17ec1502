import { CircleCheck, CircleX, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Tag } from '#components/ui/tag.tsx'
import { type Incident, type IncidentImpact, incidentImpacts } from '#server/api/contract/incidents.ts'
import { FollowForm } from './follow-status.tsx'
import { DateTime, Day } from './formats.tsx'
import { IncidentCard } from './incident-list.tsx'
import { Section } from './section.tsx'
import type { UptimeDay } from './uptime.ts'
import { UptimeStrip } from './uptime-strip.tsx'

type Percentiles = { readonly p50Ms: number | null; readonly p95Ms: number | null }

type Props = {
  state: 'working' | 'broken' | IncidentImpact
  checks: readonly { readonly name: string; readonly works: boolean; readonly text: string }[]
  ratesChangedAt: string | null
  isRatesOld: boolean
  sources: readonly { readonly figure: string; readonly source: string; readonly asOf: string | null; readonly isStale: boolean }[]
  products: number
  providers: number
  isFictional: boolean
  lookedAt: string
  /** Null if the uptime checks can't be loaded. */
  uptime: readonly UptimeDay[] | null
  /** Newest first. */
  incidents: readonly Incident[]
  /** Null if the response times can't be loaded. */
  latency: { readonly day: Percentiles; readonly month: Percentiles } | null
  /** Path of the Atom feed. */
  feed: string
}

const grouped = new Intl.NumberFormat('en-GB')
const row = 'grid grid-cols-[1fr_auto] items-baseline gap-x-4 border-b border-line py-3 last:border-b-0 sm:grid-cols-[14rem_1fr_auto] sm:gap-x-6'
const panel = 'rounded-panel border border-line bg-surface px-5'

const good = { look: 'border-good bg-good-wash text-good', Icon: CircleCheck } as const
const caution = { look: 'border-caution bg-caution-wash text-caution', Icon: TriangleAlert } as const
const danger = { look: 'border-danger bg-danger-wash text-danger', Icon: CircleX } as const

const verdicts = {
  working: { text: 'All systems operational.', ...good },
  maintenance: { text: incidentImpacts.maintenance.headline, ...caution },
  delayed: { text: incidentImpacts.delayed.headline, ...caution },
  degraded: { text: incidentImpacts.degraded.headline, ...caution },
  outage: { text: incidentImpacts.outage.headline, ...danger },
  broken: { text: 'There is a problem with the service.', ...danger },
} as const

function Verdict({ state, lookedAt }: Pick<Props, 'state' | 'lookedAt'>) {
  const { text, look, Icon } = verdicts[state]
  return (
    <div className={`flex items-center gap-4 rounded-panel border px-5 py-5 sm:px-6 ${look}`} role="status">
      <Icon aria-hidden="true" className="size-9 shrink-0" strokeWidth={1.75} />
      <div>
        <h1 className="text-note font-medium">Status</h1>
        <p className="text-figure font-semibold tracking-tight text-balance">{text}</p>
        <p className="mt-0.5 text-note">
          Checked on <DateTime at={lookedAt} />
        </p>
      </div>
    </div>
  )
}

function Item({ name, children, tag }: { name: ReactNode; children: ReactNode; tag: ReactNode }) {
  return (
    <li className={row}>
      <span className="font-medium">{name}</span>
      <span className="text-ink-2 max-sm:order-last max-sm:col-span-2">{children}</span>
      <span>{tag}</span>
    </li>
  )
}

/** Age of the data. It is not part of the state of the service. */
function Freshness({ ratesChangedAt, isRatesOld, isFictional, sources }: Props) {
  const stale = sources.filter(({ isStale }) => isStale).length
  const isOld = isRatesOld && !isFictional
  const name = (
    <a className="underline underline-offset-3" href="#data">
      Data freshness
    </a>
  )
  return (
    <Item name={name} tag={<Tag tone={isOld || stale > 0 ? 'caution' : 'good'}>{isOld || stale > 0 ? 'Stale' : 'Up to date'}</Tag>}>
      {ratesChangedAt === null ? (
        'No rates are loaded'
      ) : (
        <>
          {isOld ? 'Rates are older than usual. They last changed on ' : 'Rates last changed on '}
          <DateTime at={ratesChangedAt} />
        </>
      )}
      . {isFictional ? 'These are demonstration rates, which are not updated. ' : null}
      {stale === 0 ? 'Public statistics are up to date.' : `${stale} of ${sources.length} public statistics ${stale === 1 ? 'is' : 'are'} out of date.`}
    </Item>
  )
}

function Parts(props: Props) {
  return (
    <Section id="parts" title="Now">
      <ul className={panel}>
        {props.checks.map(({ name, works, text }) => (
          <Item key={name} name={name} tag={<Tag tone={works ? 'good' : 'danger'}>{works ? 'Operational' : 'Down'}</Tag>}>
            {works ? text : 'Not working right now. Failed calls are never charged.'}
          </Item>
        ))}
        <Freshness {...props} />
      </ul>
    </Section>
  )
}

function Latency({ latency }: Pick<Props, 'latency'>) {
  if (latency === null) return null
  const periods = [
    { name: 'Last 24 hours', ...latency.day },
    { name: 'Last 30 days', ...latency.month },
  ]
  const milliseconds = (ms: number | null) => (ms === null ? 'No calls' : `${grouped.format(ms)} ms`)
  return (
    <Section id="latency" title="Response time" lead="Measured on our servers, across all API calls.">
      <div className={panel}>
        <table className="w-full">
          <caption className="sr-only">Response times of the API</caption>
          <thead>
            <tr className="border-b border-line-strong text-note text-ink-2">
              <th scope="col" className="py-2 text-left font-medium">
                Period
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                Median
              </th>
              <th scope="col" className="py-2 text-right font-medium">
                95% under
              </th>
            </tr>
          </thead>
          <tbody>
            {periods.map(({ name, p50Ms, p95Ms }) => (
              <tr key={name} className="border-b border-line tabular-nums last:border-b-0">
                <th scope="row" className="py-2.5 text-left font-normal">
                  {name}
                </th>
                <td className="py-2.5 text-right">{milliseconds(p50Ms)}</td>
                <td className="py-2.5 text-right">{milliseconds(p95Ms)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  )
}

function Incidents({ title, id, incidents }: { title: string; id: string; incidents: readonly Incident[] }) {
  return (
    <Section id={id} title={title}>
      {incidents.length === 0 ? <p className="rounded-panel border border-line bg-surface px-5 py-4 text-ink-2">No incidents.</p> : null}
      <div className={`${panel} empty:hidden`}>
        {incidents.map((incident) => (
          <IncidentCard key={incident.id} incident={incident} />
        ))}
      </div>
    </Section>
  )
}

function Data({ products, providers, ratesChangedAt, isRatesOld, isFictional, sources }: Props) {
  const rates = isFictional ? 'Demonstration' : isRatesOld ? 'Older than usual' : 'Up to date'
  return (
    <Section
      id="data"
      title="Data"
      lead={
        <>
          Late data doesn’t affect the service status. In responses, late statistics and exchange rates have{' '}
          <code className="inline-code whitespace-nowrap">stale: true</code>.
        </>
      }
    >
      <ul className={panel}>
        <Item name="Live products" tag={<Tag tone={isFictional ? 'test' : isRatesOld ? 'caution' : 'good'}>{rates}</Tag>}>
          {grouped.format(products)} from {grouped.format(providers)} providers
          {ratesChangedAt === null ? null : (
            <>
              , last changed on <DateTime at={ratesChangedAt} />
            </>
          )}
        </Item>
        {sources.map(({ figure, source, asOf, isStale }) => (
          <Item key={figure} name={figure} tag={<Tag tone={isStale ? 'caution' : 'good'}>{isStale ? 'Out of date' : 'Up to date'}</Tag>}>
            {source}
            {asOf === null ? null : (
              <>
                , as of <Day on={asOf} />
              </>
            )}
          </Item>
        ))}
      </ul>
    </Section>
  )
}

/** Status page: state of the service, incidents, uptime, response times, and age of the data. */
export function StatusReport(props: Props) {
  const { state, incidents, lookedAt, uptime, latency, feed } = props
  const open = incidents.filter(({ resolvedAt }) => resolvedAt === null)
  return (
    <>
      <Verdict state={state} lookedAt={lookedAt} />
      {open.length === 0 ? null : <Incidents id="open" title="Open incidents" incidents={open} />}
      <Parts {...props} />
      <UptimeStrip uptime={uptime} now={Date.parse(lookedAt)} />
      <div className="grid gap-x-10 lg:grid-cols-2">
        <Latency latency={latency} />
        <Incidents id="past" title="Past incidents" incidents={incidents.filter(({ resolvedAt }) => resolvedAt !== null)} />
      </div>
      <Data {...props} />
      <Section id="follow" title="Follow">
        <FollowForm />
        <p className="mt-4 max-w-[68ch] text-pretty">
          Incidents are also in the{' '}
          <a className="prose-link" href={feed}>
            Atom feed
          </a>
          . For monitoring, use{' '}
          <a className="prose-link" href="/readyz">
            /readyz
          </a>
          .
        </p>
      </Section>
    </>
  )
}
