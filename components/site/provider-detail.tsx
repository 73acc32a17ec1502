import { CodeBlock } from '#components/ui/code-block.tsx'
import { Tag } from '#components/ui/tag.tsx'
import { type Fact, Facts, OutsideLink, PageNotice, Protection, type ProtectionData, SourceLine } from './detail-parts.tsx'
import { formatDay, formatLondonDay } from './formats.tsx'
import { type ProductRow, ProductRows, ServiceQuality, type SurveyData } from './provider-sections.tsx'
import { Section } from './section.tsx'

export type ProviderData = {
  readonly name: string
  readonly logoUrl: string | null
  readonly legalName: string
  readonly frn: string | null
  readonly providerType: string
  readonly website: string
  readonly founded: number | null
  readonly headquarters: string | null
  readonly ownerName: string | null
  readonly ownerCountry: string | null
  readonly trustScore: string | null
  readonly trustReviewCount: number | null
  readonly trustSource: string | null
  readonly trustAsOf: string | null
  readonly productCount: number
  readonly cassParticipant: boolean
  readonly updatedAt: string
}

export type ProviderPageData = {
  readonly provider: ProviderData
  readonly isListed: boolean
  readonly isFictional: boolean
  readonly notice: string | null
  readonly protection: ProtectionData | null
  readonly products: readonly ProductRow[]
  readonly surveys: readonly SurveyData[]
  readonly asOf: string | null
  readonly cost: string
}

const kinds: Readonly<Record<string, string>> = {
  bank: 'Bank',
  'building-society': 'Building society',
  government: 'Government',
  platform: 'Savings platform',
  'e-money': 'E-money firm',
  'credit-union': 'Credit union',
}

const countries = new Intl.DisplayNames('en-GB', { type: 'region' })
const grouped = new Intl.NumberFormat('en-GB')

function ownerText({ ownerName, ownerCountry }: ProviderData): string | null {
  if (ownerName === null) return null
  return ownerCountry === null ? ownerName : `${ownerName}, ${countries.of(ownerCountry)}`
}

function trustText({ trustScore, trustReviewCount, trustSource, trustAsOf }: ProviderData): string | null {
  if (trustScore === null) return null
  const reviews = trustReviewCount === null ? '' : ` from ${grouped.format(trustReviewCount)} reviews`
  return `${trustScore} of 5${reviews} (${[trustSource, trustAsOf === null ? null : formatDay(trustAsOf)].filter((part) => part !== null).join(', ')})`
}

function toDetails({ provider, isFictional }: ProviderPageData): Fact[] {
  return [
    ['Type', kinds[provider.providerType] ?? provider.providerType],
    ['FCA reference', provider.frn],
    ['Owner', ownerText(provider)],
    ['Head office', provider.headquarters],
    ['Founded', provider.founded],
    ['Current Account Switch Service', provider.cassParticipant ? 'Participant' : 'Not a participant'],
    ['Customer reviews', trustText(provider)],
    ['Website', <OutsideLink key="link" url={provider.website} isFictional={isFictional} />],
  ]
}

function Heading({ provider, isListed }: Pick<ProviderPageData, 'provider' | 'isListed'>) {
  const { logoUrl, name, legalName } = provider
  return (
    <div className="flex items-start gap-4">
      {/* biome-ignore lint/performance/noImgElement: our own SVG, which can't be optimised */}
      {logoUrl ? <img src={logoUrl} alt="" width={56} height={56} className="mt-1 shrink-0" /> : null}
      <div className="min-w-0">
        <h1 className="text-hero font-semibold tracking-tight text-balance">{name}</h1>
        <p className="mt-1 flex flex-wrap items-baseline gap-x-3 gap-y-1 text-ink-2">
          {legalName}
          {isListed ? null : <Tag tone="caution">Not listed</Tag>}
        </p>
      </div>
    </div>
  )
}

function Products({ provider, products }: Pick<ProviderPageData, 'provider' | 'products'>) {
  if (products.length === 0) return <p className="text-ink-2">{provider.name} has no listed savings accounts.</p>
  const rest = provider.productCount - products.length
  return (
    <>
      <ProductRows caption={`Savings accounts from ${provider.name}, best rate first`} rows={products} />
      {rest > 0 ? <p className="mt-3 text-note text-ink-2">{grouped.format(rest)} more with lower rates.</p> : null}
    </>
  )
}

/** Provider page: accounts, company details, protection and service quality. */
export function ProviderDetail({ page, curl, attribution }: { page: ProviderPageData; curl: string; attribution: string }) {
  const { provider, isListed, notice, protection, products, surveys, cost } = page
  return (
    <article>
      {notice === null ? null : <PageNotice tone="fiction">{notice}</PageNotice>}
      {isListed ? null : <PageNotice tone="past">Delisted on {formatLondonDay(provider.updatedAt)}. This provider’s accounts are no longer shown.</PageNotice>}
      <div className="mt-8">
        <Heading provider={provider} isListed={isListed} />
      </div>
      {isListed ? (
        <Section
          id="accounts"
          title="Savings accounts"
          lead={products.length > 1 ? `${grouped.format(provider.productCount)} accounts, best rate first.` : undefined}
        >
          <Products provider={provider} products={products} />
        </Section>
      ) : null}
      <div className="grid gap-x-12 lg:grid-cols-2">
        <div className="min-w-0">
          <Section id="firm" title="About the provider">
            <Facts facts={toDetails(page)} />
          </Section>
        </div>
        {protection === null ? null : (
          <div className="min-w-0">
            <Section id="protection" title="Protection">
              <Protection provider={provider.name} protection={protection} isFictional={page.isFictional} />
            </Section>
          </div>
        )}
      </div>
      {surveys.length === 0 ? null : (
        <Section id="service" title="Service quality" lead="Share of customers who are extremely or very likely to recommend the provider.">
          <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
            {surveys.map((survey) => (
              <ServiceQuality key={survey.region} survey={survey} />
            ))}
          </div>
        </Section>
      )}
      {isListed ? (
        <Section id="json" title="Get this as JSON">
          <div className="max-w-[44rem]">
            <CodeBlock label="curl" code={curl} />
            <p className="mt-3 text-note text-ink-2">{cost}</p>
          </div>
        </Section>
      ) : null}
      <SourceLine asOf={page.asOf} attribution={attribution} />
    </article>
  )
}
