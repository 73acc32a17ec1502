import { HomeExample } from '#components/site/home-example.tsx'
import { ClosingCall, Coverage, Hero, Pricing, UseCases } from '#components/site/home-page.tsx'
import { starterCredits } from '#server/api/contract/access.ts'
import { attribution } from '#server/api/contract/envelope.ts'
import { workedExample } from '#server/api/documents/samples.ts'
import { homeCoverage, homeExample, useCases } from '#server/api/documents/site/home-page.ts'
import { priceSentence } from '#server/api/documents/usage-rules.ts'
import { siteData } from '#server/pages/site-data.ts'
import { nextService } from '#server/runtime/next-service.ts'

/** Home page. Doesn't depend on the visitor, so it is the same for everyone. */
export default async function HomePage() {
  const service = await nextService()
  const { publicUrl: origin, licence } = await siteData()
  const [market, at] = [service.market(), new Date().toISOString()]
  const [example, coverage] = await Promise.all([homeExample(market.dataset('sample'), service.pages, { origin, at }), homeCoverage(market, service.pages)])
  return (
    <>
      <Hero starterCredits={starterCredits}>
        <HomeExample {...example} />
      </Hero>
      <Coverage {...coverage} />
      <UseCases cases={useCases(origin)} />
      <Pricing price={priceSentence()} entries={workedExample().slice(0, 5)} />
      <ClosingCall licence={licence} attribution={attribution} />
    </>
  )
}
