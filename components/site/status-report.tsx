import { Tag } from '#components/ui/tag.tsx'
import { DateTime, Day } from './formats.tsx'
import { Section } from './section.tsx'
import type { UptimeDay } from './uptime.ts'
import { UptimeStrip } from './uptime-strip.tsx'

type Props = {
  state: 'working' | 'behind' | 'broken'
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
}

const grouped = new Intl.NumberFormat('en-GB')
const row = 'border-b border-line py-3 sm:grid sm:grid-cols-[14rem_1fr_auto] sm:items-baseline sm:gap-6'

/** Says how many public statistics are out of date; empty if all are current. */
function behindText(sources: Props['sources']): string {
  const stale = sources.filter(({ isStale }) => isStale).length
  return stale === 0 ? '' : ` ${stale} of ${sources.length} public statistics ${stale === 1 ? 'is' : 'are'} out of date.`
}

const verdicts = {
  working: { text: 'All systems operational.', look: 'border-good bg-good-wash text-good' },
  behind: { text: 'Operational. Some data is out of date.', look: 'border-caution bg-caution-wash text-caution' },
  broken: { text: 'There is a problem with the service.', look: 'border-danger bg-danger-wash text-danger' },
} as const

function Verdict({ state, ratesChangedAt, sources, lookedAt }: Props) {
  const { text, look } = verdicts[state]
  return (
    <div className={`mt-6 rounded-panel border px-5 py-4 ${look}`} role="status">
      <p className="text-h1 font-semibold">{text}</p>
      <p className="mt-1">
        {ratesChangedAt === null ? 'No rates are loaded.' : 'Rates last changed on '}
        {ratesChangedAt === null ? null : <DateTime at={ratesChangedAt} />}
        {ratesChangedAt === null ? null : '.'}
        {behindText(sources)} Checked at <DateTime at={lookedAt} />.
      </p>
    </div>
  )
}

function Sources({ sources }: Pick<Props, 'sources'>) {
  return (
    <ul className="border-t border-line-strong">
      {sources.map(({ figure, source, asOf, isStale }) => (
        <li key={figure} className={row}>
          <span className="font-medium">{figure}</span>
          <span className="block text-ink-2">
            {source}
            {asOf === null ? null : (
              <>
                , as of <Day on={asOf} />
              </>
            )}
          </span>
          <span>
            <Tag tone={isStale ? 'caution' : 'good'}>{isStale ? 'Out of date' : 'Up to date'}</Tag>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Status page: current state of the service, uptime, and age of the data. */
export function StatusReport(props: Props) {
  const { checks, isRatesOld, ratesChangedAt, products, providers, isFictional } = props
  return (
    <>
      <h1 className="text-figure font-semibold tracking-tight">Status</h1>
      <Verdict {...props} />
      <Section id="parts" title="Now">
        <ul className="border-t border-line-strong">
          {checks.map(({ name, works, text }) => (
            <li key={name} className={row}>
              <span className="font-medium">{name}</span>
              <span className="block text-ink-2">{works ? text : 'Not working right now. Failed calls are never charged.'}</span>
              <span>
                <Tag tone={works ? 'good' : 'danger'}>{works ? 'Operational' : 'Down'}</Tag>
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <UptimeStrip uptime={props.uptime} now={Date.parse(props.lookedAt)} />
      <Section
        id="rates"
        title="Rates"
        lead={isFictional ? 'This is a demonstration market: the providers are fictional and the rates are not updated.' : undefined}
      >
        <ul className="border-t border-line-strong">
          <li className={row}>
            <span className="font-medium">Live products</span>
            <span className="block text-ink-2">
              {grouped.format(products)} from {grouped.format(providers)} providers
              {ratesChangedAt === null ? null : (
                <>
                  , last changed on <DateTime at={ratesChangedAt} />
                </>
              )}
            </span>
            <span>
              <Tag tone={isRatesOld ? 'caution' : 'good'}>{isRatesOld ? 'Older than usual' : 'Up to date'}</Tag>
            </span>
          </li>
        </ul>
      </Section>
      <Section id="sources" title="Public statistics" lead="If a source is late, responses include stale: true.">
        <Sources sources={props.sources} />
      </Section>
      <Section id="about" title="About this page">
        <p className="max-w-[68ch] text-prose text-pretty">
          “Now” is checked live when you load this page. For monitoring, use{' '}
          <a className="prose-link" href="/readyz">
            /readyz
          </a>
          .
        </p>
      </Section>
    </>
  )
}
