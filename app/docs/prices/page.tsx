import type { Metadata } from 'next'
import { Rules } from '../../../components/docs/rules.tsx'
import { LimitsTable } from '../../../components/site/limits-table.tsx'
import { PriceTable } from '../../../components/site/price-table.tsx'
import { Section } from '../../../components/site/section.tsx'
import { catalogue } from '../../../server/publish/catalogue.ts'
import { chargingRules } from '../../../server/publish/charging-rules.ts'
import { limitLines } from '../../../server/publish/limits.ts'

export const metadata: Metadata = { title: 'Prices', description: 'What each call costs, who can make it, and what is never charged.' }

export default function PricesPage() {
  const lines = catalogue()
  const launched = lines.filter((line) => line.launched)
  const announced = lines.filter((line) => !line.launched)
  return (
    <>
      <h1 className="text-hero font-semibold tracking-tight">Prices</h1>
      <Rules rules={chargingRules()} />
      <Section id="launched" title={`${launched.length} endpoints answer today`}>
        <PriceTable caption="Endpoints that answer today" lines={launched} />
      </Section>
      <Section
        id="announced"
        title={`${announced.length} are announced`}
        lead="They have a price and no answer yet: a call gets 404, or the 403 that it would get anyway, and costs nothing."
      >
        <PriceTable caption="Endpoints that are announced" lines={announced} />
      </Section>
      <Section id="limits" title="Limits">
        <LimitsTable lines={limitLines()} />
      </Section>
    </>
  )
}
