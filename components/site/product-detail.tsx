import type { ReactNode } from 'react'
import { CodeBlock } from '../ui/code-block.tsx'
import { Tag } from '../ui/tag.tsx'

export type ProductFacts = {
  readonly provider: string
  readonly providerLogoUrl?: string | null | undefined
  readonly accountName: string
  readonly accountType: string
  readonly rate: string
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
  readonly updatedAt: string
}

const money = new Intl.NumberFormat('en-GB', { style: 'currency', currency: 'GBP', trailingZeroDisplay: 'stripIfInteger' })
const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' })

/** The bonus and what is left after it, in one sentence; null without a bonus. */
function bonusOf({ boostRate, boostDuration, baseRate }: ProductFacts): string | null {
  if (Number(boostRate) === 0) return null
  return `${boostRate}%${boostDuration === null ? '' : ` for ${boostDuration}`}, then the rate is ${baseRate}%`
}

/** The terms as name and text, without those that the product does not have. */
function termsOf(product: ProductFacts): [string, string][] {
  const terms: [string, string | null][] = [
    ['Account type', product.accountType],
    ['Bonus', bonusOf(product)],
    ['Interest', `${product.interestType}, paid ${product.interestPaid.toLowerCase()}`],
    ['Access', product.access],
    ['Smallest balance', money.format(product.minBalance)],
    ['Largest balance', product.maxBalance === null ? 'No maximum' : money.format(product.maxBalance)],
    ['Monthly deposit', product.maxMonthlyDeposit === null ? null : `Up to ${money.format(product.maxMonthlyDeposit)}`],
    ['Who can open it', product.newCustomersOnly ? 'New customers only' : 'New and existing customers'],
    ['Protection', product.fscsDetails],
  ]
  return terms.filter((term): term is [string, string] => term[1] !== null)
}

/** Said first and in full where the provider is made up. */
function Fiction({ children }: { children: ReactNode }) {
  return <p className="mb-8 rounded-panel border border-dashed border-test bg-test-wash px-4 py-3 font-medium text-test">{children}</p>
}

type Props = { product: ProductFacts; notice: string | null; curl: string; cost: string }

/** What the account pays and on what terms. */
export function ProductDetail({ product, notice, curl, cost }: Props) {
  return (
    <article>
      {notice === null ? null : <Fiction>{notice}</Fiction>}
      <div className="flex items-center gap-3">
        {/* biome-ignore lint/performance/noImgElement: an SVG of our own, which no optimiser makes smaller */}
        {product.providerLogoUrl ? <img src={product.providerLogoUrl} alt="" width={40} height={40} /> : null}
        <p className="text-prose">{product.provider}</p>
      </div>
      <h1 className="mt-3 text-hero font-semibold tracking-tight text-balance">{product.accountName}</h1>
      <p className="mt-4 flex flex-wrap items-baseline gap-x-3 gap-y-1">
        <span className="text-hero font-semibold tabular-nums">{product.rate}%</span>{' '}
        <abbr title="annual equivalent rate" className="no-underline">
          AER
        </abbr>
        <Tag tone="plain">{product.matchReasons[0] ?? product.accountType}</Tag>
      </p>
      <dl className="mt-8 border-t border-line-strong">
        {termsOf(product).map(([name, text]) => (
          <div key={name} className="border-b border-line py-2.5 sm:grid sm:grid-cols-[12rem_1fr] sm:gap-4">
            <dt className="text-ink-2">{name}</dt>
            <dd className="max-w-[68ch]">{text}</dd>
          </div>
        ))}
      </dl>
      <p className="mt-3 text-note text-ink-2">Last changed {day.format(new Date(product.updatedAt))}.</p>
      <section className="mt-12 max-w-[44rem]" aria-labelledby="json">
        <h2 id="json" className="mb-3 text-h2 font-semibold">
          Get this as JSON
        </h2>
        <CodeBlock label="curl" code={curl} />
        <p className="mt-3 text-note text-ink-2">{cost}</p>
      </section>
    </article>
  )
}
