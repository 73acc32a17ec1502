import { Coverage, Hero, SampleCall, StatementPreview } from '#components/site/home-page.tsx'
import { LimitsTable, PriceTable } from '#components/site/price-table.tsx'
import { Section } from '#components/site/section.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { accountTypeValues } from '#server/api/contract/account-types.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { creditPence } from '#server/api/contract/price-kinds.ts'
import { getCoverage } from '#server/api/documents/markets.ts'
import { allOperations } from '#server/api/documents/reference/operation-groups.ts'
import { sampleAnswer, workedExample } from '#server/api/documents/samples.ts'
import { limitLines, reachLabels } from '#server/api/documents/usage-rules.ts'
import { siteData } from '#server/pages/site-data.ts'
import { nextService } from '#server/runtime/next-service.ts'

type Props = { searchParams: Promise<{ type?: string | string[] }> }

export default async function HomePage({ searchParams }: Props) {
  const given = (await searchParams).type
  const type = accountTypeValues.find((value) => value === given) ?? 'easy-access'
  const market = (await nextService()).market()
  const { overrides, publicUrl, licence } = await siteData()
  const sample = await sampleAnswer(market.dataset('sample'), type, new Date().toISOString())
  const lines = allOperations(overrides)
  const launched = lines.filter((line) => line.launched)
  return (
    <>
      <Hero creditPence={creditPence} starterCredits={starterCredits} />
      <Section id="try" title="Try it" lead="No account needed. This runs against sample data.">
        <SampleCall origin={publicUrl} type={type} {...sample}>
          <StatementPreview title="Every call on your statement, with the balance after it" entries={workedExample()} />
        </SampleCall>
      </Section>
      <Section id="prices" title="Prices" lead={`${launched.length} endpoints available. 1 credit = ${creditPence}p.`}>
        <PriceTable caption="Available endpoints and their prices" lines={launched} />
        <p className="mt-4">
          <a className="prose-link" href="/docs/prices">
            See all {lines.length} endpoints, including those coming soon, and what is never charged
          </a>
        </p>
      </Section>
      <Section id="limits" title="Limits" lead={`Calls over the limit return 429 with a Retry-After header and are not charged. ${reachLabels()}`}>
        <LimitsTable lines={limitLines()} />
      </Section>
      <Section id="coverage" title="What’s included">
        <Coverage {...getCoverage(market)} licence={licence} attribution={attribution} />
      </Section>
    </>
  )
}
