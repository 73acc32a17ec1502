import { CodeBlock } from '#components/ui/code-block.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Fact, Facts, OutsideLink, PageNotice, Protection, type ProtectionData, SourceLine } from './detail-parts.tsx'
import { formatDay, formatLondonDay, formatPounds, formatTerm } from './formats.tsx'
import type { ChartRange } from './rate-geometry.ts'
import { RateSteps } from './rate-steps.tsx'
import { Section } from './section.tsx'

export type ProductHeading = {
  readonly provider: string
  readonly providerSlug: string
  readonly providerLogoUrl: string | null
  readonly accountName: string
  readonly accountType: string
  readonly rate: string
}

export type ProductTerms = {
  readonly product: {
    readonly baseRate: string
    readonly boostRate: string
    readonly boostDuration: string | null
    readonly interestPaid: string
    readonly interestType: string
    readonly access: string
    readonly minBalance: number
    readonly maxBalance: number | null
    readonly maxMonthlyDeposit: number | null
    readonly fscsDetails: string
    readonly newCustomersOnly: boolean
    readonly matchReasons: readonly string[]
  }
  readonly termMonths: number | null
  readonly noticeDays: number | null
  readonly link: { readonly url: string; readonly checkedAt: string }
}

export type ProductPageData = {
  readonly heading: ProductHeading
  readonly terms: ProductTerms | null
  readonly isFictional: boolean
  readonly notice: string | null
  readonly withdrawnOn: string | null
  readonly protection: ProtectionData | null
  readonly history: ChartRange
  readonly asOf: string | null
  readonly cost: string
}

/** Describes the bonus and the rate after it; null without a bonus. */
function bonusText({ boostRate, boostDuration, baseRate }: ProductTerms['product']): string | null {
  if (Number(boostRate) === 0) return null
  return `${boostRate}%${boostDuration === null ? '' : ` for ${boostDuration}`}, then the rate is ${baseRate}%`
}

/** Returns the terms of a product. A null text marks a term that doesn't apply. */
function toTerms({ product, termMonths, noticeDays, link }: ProductTerms, isFictional: boolean): Fact[] {
  return [
    ['Bonus', bonusText(product)],
    ['Interest', `${product.interestType}, paid ${product.interestPaid.toLowerCase()}`],
    ['Term', termMonths === null ? null : formatTerm(termMonths)],
    ['Notice', noticeDays === null ? null : `${noticeDays} days`],
    ['Access', product.access],
    ['Minimum balance', formatPounds(product.minBalance)],
    ['Maximum balance', product.maxBalance === null ? 'No maximum' : formatPounds(product.maxBalance)],
    ['Monthly deposit', product.maxMonthlyDeposit === null ? null : `Up to ${formatPounds(product.maxMonthlyDeposit)}`],
    ['Eligibility', product.newCustomersOnly ? 'New customers only' : 'New and existing customers'],
    ['Provider’s page', <OutsideLink key="link" url={link.url} isFictional={isFictional} />],
  ]
}

/** Returns when the rate last changed or, if no change is known, when it started to apply. For a withdrawn product, states that it is the last rate. */
function sinceText({ withdrawnOn, history }: ProductPageData): string {
  if (withdrawnOn !== null) return 'Last rate before withdrawal.'
  const last = history.steps.at(-1)
  if (last === undefined || last.rate === null) return ''
  return `${history.steps.length > 1 ? 'Last changed' : 'This rate since'} ${formatDay(last.date)}.`
}

function Heading({ page }: { page: ProductPageData }) {
  const { heading, terms, withdrawnOn } = page
  return (
    <>
      <p className="flex items-center gap-3 text-prose">
        {/* biome-ignore lint/performance/noImgElement: our own SVG, which can't be optimised */}
        {heading.providerLogoUrl ? <img src={heading.providerLogoUrl} alt="" width={40} height={40} /> : null}
        <a className="prose-link" href={`/providers/${heading.providerSlug}`}>
          {heading.provider}
        </a>
      </p>
      <h1 className="mt-3 text-hero font-semibold tracking-tight text-balance">{heading.accountName}</h1>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-hero font-semibold tabular-nums">{heading.rate}%</span>{' '}
        <abbr title="annual equivalent rate" className="no-underline">
          AER
        </abbr>
        <Tag tone={withdrawnOn === null ? 'plain' : 'caution'}>{withdrawnOn === null ? heading.accountType : 'Withdrawn'}</Tag>
      </p>
      <p className="mt-2 text-ink-2">
        {sinceText(page)} {withdrawnOn === null && terms?.product.matchReasons[0] ? `${terms.product.matchReasons[0]}.` : null}
      </p>
    </>
  )
}

function Terms({ terms, isFictional, withdrawnOn }: Pick<ProductPageData, 'terms' | 'isFictional' | 'withdrawnOn'>) {
  if (terms === null) return <p className="text-ink-2">Terms unknown. The account was withdrawn before we started recording terms.</p>
  return (
    <>
      <Facts facts={toTerms(terms, isFictional)} />
      <p className="mt-3 text-note text-ink-2">
        {withdrawnOn === null ? 'Link' : 'Terms at the time of withdrawal. Link'} last checked on {formatLondonDay(terms.link.checkedAt)}.
      </p>
    </>
  )
}

function Protected({ heading, terms, protection, isFictional }: ProductPageData) {
  const own = terms?.product.fscsDetails
  if (protection === null) return <p>{own ?? `${heading.provider} is no longer listed.`}</p>
  return <Protection provider={heading.provider} protection={protection} isFictional={isFictional} own={own} />
}

/** Product page: rate, terms, protection and history. */
export function ProductDetail({ page, curl, attribution }: { page: ProductPageData; curl: string; attribution: string }) {
  const { notice, withdrawnOn, history, cost } = page
  return (
    <article>
      {notice === null ? null : <PageNotice tone="fiction">{notice}</PageNotice>}
      {withdrawnOn === null ? null : <PageNotice tone="past">Withdrawn on {formatDay(withdrawnOn)}. This account can no longer be opened.</PageNotice>}
      <div className="mt-8">
        <Heading page={page} />
      </div>
      <div className="grid gap-x-12 lg:grid-cols-2">
        <div className="min-w-0">
          <Section id="terms" title="Terms">
            <Terms {...page} />
          </Section>
          <Section id="protection" title="Protection">
            <Protected {...page} />
          </Section>
        </div>
        <div className="min-w-0">
          <Section id="rates" title="Rate over 12 months">
            <RateSteps history={history} />
          </Section>
          {withdrawnOn === null ? (
            <Section id="json" title="Get this as JSON">
              <CodeBlock label="curl" code={curl} />
              <p className="mt-3 text-note text-ink-2">{cost}</p>
            </Section>
          ) : null}
        </div>
      </div>
      <SourceLine asOf={page.asOf} attribution={attribution} />
    </article>
  )
}
