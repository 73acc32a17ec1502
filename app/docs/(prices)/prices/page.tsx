import type { Metadata } from 'next'
import { PriceLead } from '#components/site/price-lead.tsx'
import { LimitsTable, PriceTable, Rules } from '#components/site/price-table.tsx'
import { Section } from '#components/site/section.tsx'
import { allOperations } from '#server/api/documents/reference/operation-groups.ts'
import { limitLines, otherRules, priceLead, reachLabels } from '#server/api/documents/usage-rules.ts'
import { siteData } from '#server/pages/site-data.ts'

export const metadata: Metadata = {
  title: 'Prices',
  description: 'What each call costs, who can make it, and what is never charged.',
  alternates: { types: { 'text/markdown': '/docs/prices.md' } },
}

export default async function PricesPage() {
  const lines = allOperations((await siteData()).overrides)
  const isFree = ({ money }: (typeof lines)[number]) => Number(money === null)
  const launched = lines.filter((line) => line.launched).toSorted((a, b) => isFree(a) - isFree(b))
  const announced = lines.filter((line) => !line.launched)
  return (
    <>
      <h1 className="text-figure font-semibold tracking-tight">Prices</h1>
      <PriceLead {...priceLead()} />
      <Section id="rules" title="How calls are charged">
        <Rules rules={otherRules()} />
      </Section>
      <Section id="limits" title="Limits" lead={`Calls over the limit return 429 with a Retry-After header and are not charged. ${reachLabels()}`}>
        <LimitsTable lines={limitLines()} />
      </Section>
      <Section id="endpoints" title={`${launched.length} endpoints available`}>
        <PriceTable caption="Available endpoints" lines={launched} />
      </Section>
      {announced.length === 0 ? null : (
        <Section id="announced" title="Coming soon" lead="Priced, but not live yet. Calls return 404 (or 403 if the key has no access) and are free.">
          <PriceTable caption="Announced endpoints" lines={announced} />
        </Section>
      )}
    </>
  )
}
