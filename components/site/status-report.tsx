import { Tag } from '#components/ui/tag.tsx'
import { Day, Moment } from './moment.tsx'
import { ReadingStrip } from './reading-strip.tsx'
import type { Reading } from './reading-words.ts'
import { Section } from './section.tsx'

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
  /** Null: they cannot be read just now. */
  readings: readonly Reading[] | null
}

const grouped = new Intl.NumberFormat('en-GB')
const row = 'border-b border-line py-3 sm:grid sm:grid-cols-[14rem_1fr_auto] sm:items-baseline sm:gap-6'

/** What is behind the rest, although everything works. */
function behindWords(sources: Props['sources']): string {
  const stale = sources.filter(({ isStale }) => isStale).length
  return stale === 0 ? '' : ` ${stale} of ${sources.length} public figures ${stale === 1 ? 'is' : 'are'} out of date.`
}

const verdicts = {
  working: { words: 'All working.', look: 'border-good bg-good-wash text-good' },
  behind: { words: 'Working, with old figures.', look: 'border-caution bg-caution-wash text-caution' },
  broken: { words: 'There is a problem with the service.', look: 'border-danger bg-danger-wash text-danger' },
} as const

function Verdict({ state, ratesChangedAt, sources, lookedAt }: Props) {
  const { words, look } = verdicts[state]
  return (
    <div className={`mt-6 rounded-panel border px-5 py-4 ${look}`} role="status">
      <p className="text-h1 font-semibold">{words}</p>
      <p className="mt-1">
        {ratesChangedAt === null ? 'No rates are loaded.' : 'Rates last changed on '}
        {ratesChangedAt === null ? null : <Moment at={ratesChangedAt} />}
        {ratesChangedAt === null ? null : '.'}
        {behindWords(sources)} Looked at <Moment at={lookedAt} />.
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

/** Whether it works now, and how old the data are. */
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
              <span className="block text-ink-2">{works ? text : 'Does not work at the moment. Nothing that fails is charged.'}</span>
              <span>
                <Tag tone={works ? 'good' : 'danger'}>{works ? 'Working' : 'Not working'}</Tag>
              </span>
            </li>
          ))}
        </ul>
      </Section>
      <ReadingStrip readings={props.readings} now={Date.parse(props.lookedAt)} />
      <Section
        id="rates"
        title="Rates"
        lead={isFictional ? 'This is a demonstration market: the providers are fictional, and nobody refreshes it.' : undefined}
      >
        <ul className="border-t border-line-strong">
          <li className={row}>
            <span className="font-medium">Live products</span>
            <span className="block text-ink-2">
              {grouped.format(products)} of {grouped.format(providers)} providers
              {ratesChangedAt === null ? null : (
                <>
                  , last changed on <Moment at={ratesChangedAt} />
                </>
              )}
            </span>
            <span>
              <Tag tone={isRatesOld ? 'caution' : 'good'}>{isRatesOld ? 'Older than usual' : 'Up to date'}</Tag>
            </span>
          </li>
        </ul>
      </Section>
      <Section id="sources" title="Public figures" lead="When a source is late, answers say so themselves with stale: true.">
        <Sources sources={props.sources} />
      </Section>
      <Section id="about" title="About this page">
        <p className="max-w-[68ch] text-prose text-pretty">
          What stands under Now is looked up the moment you open it, by the process that answers you. Programs ask{' '}
          <a className="prose-link" href="/readyz">
            /readyz
          </a>
          .
        </p>
      </Section>
    </>
  )
}
