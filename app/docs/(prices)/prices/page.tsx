import type { Metadata } from 'next'
import { MarketCosts } from '#components/site/market-costs.tsx'
import { PlanColumns } from '#components/site/plan-columns.tsx'
import { PriceLead } from '#components/site/price-lead.tsx'
import { PriceTable, Rules } from '#components/site/price-table.tsx'
import { Section } from '#components/site/section.tsx'
import { accountCatalogue } from '#server/api/documents/catalogue.ts'
import { marketCosts } from '#server/api/documents/market-costs.ts'
import { allOperations } from '#server/api/documents/reference/operation-groups.ts'
import { keyLimits, otherRules, planOffers, planPrice, priceLead, reachLabels } from '#server/api/documents/usage-rules.ts'
import { siteData } from '#server/pages/site-data.ts'

export const metadata: Metadata = {
  title: 'Prices',
  description: 'What each call costs, who can make it, and what is never charged.',
  alternates: { types: { 'text/markdown': '/docs/prices.md' } },
}

export default async function PricesPage() {
  const accountIds = new Set(accountCatalogue().map(({ id }) => id))
  const { overrides, live } = await siteData()
  const lines = allOperations(overrides).filter(({ id }) => !accountIds.has(id))
  const isFree = ({ money }: (typeof lines)[number]) => Number(money === null)
  const launched = lines.filter((line) => line.launched).toSorted((a, b) => isFree(a) - isFree(b))
  const announced = lines.filter((line) => !line.launched)
  return (
    <>
      <PriceLead {...priceLead()} />
      <Section id="limits" title="Plans and limits" lead={planPrice()}>
        <PlanColumns plans={planOffers()} />
        <p className="mt-4 flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 rounded-panel border border-line bg-surface px-5 py-3">
          <span className="text-pretty">{reachLabels()}</span>{' '}
          <a className="prose-link whitespace-nowrap" href="#endpoints">
            See all endpoints
          </a>
        </p>
        <p className="mt-4 text-note text-pretty text-ink-2">{keyLimits()} Calls over a limit return 429 with a Retry-After header and are free.</p>
      </Section>
      <Section id="rules" title="How calls are charged">
        <Rules rules={otherRules()} />
      </Section>
      <Section id="read-the-whole-market" title="Read the whole market" lead="What each option costs with a live key, based on today’s market.">
        <MarketCosts lines={marketCosts(live)} />
      </Section>
      <Section
        id="endpoints"
        title={`${launched.length} endpoints available`}
        lead={
          <>
            Open to live keys unless marked otherwise. Endpoints about{' '}
            <a className="prose-link" href="/reference">
              your own account
            </a>
            , including those that manage webhooks and alerts, are free on every plan.
          </>
        }
      >
        <PriceTable caption="Available endpoints" lines={launched} />
      </Section>
      {announced.length === 0 ? null : (
        <Section id="announced" title="Coming soon" lead="Priced but not launched yet. Calls with a valid key return 404 and are free.">
          <PriceTable caption="Announced endpoints" lines={announced} />
        </Section>
      )}
    </>
  )
}
