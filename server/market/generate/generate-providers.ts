import type { ProviderType } from '../provider.ts'
import { fscsLimits } from '../reference/fscs.ts'
import type { Random } from './random.ts'

/** Provider as a feed record, with the fields that the product generator needs. */
export type GeneratedProvider = {
  readonly kind: 'provider'
  readonly slug: string
  readonly name: string
  readonly legalName: string
  readonly frn: null
  readonly providerType: ProviderType
  readonly website: string
  readonly founded: number
  readonly headquarters: string
  readonly ownerName: string | null
  readonly ownerCountry: string
  readonly protectionScheme: string
  readonly protectionLimit: string | null
  readonly licenceGroup: string
  readonly cassParticipant: boolean
  readonly active: true
  readonly colour: string | null
}

export function toSlug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll('&', 'and')
    .replaceAll("'", '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}

/** Display name and legal name by kind of firm. Every legal name says that the firm is fictional. */
const naming: Record<'bank' | 'building-society' | 'credit-union' | 'platform', (stem: string, random: Random) => readonly [name: string, legal: string]> = {
  bank: (stem, random) => [random.pick([`${stem} Bank`, `${stem} Bank`, stem, `${stem} Savings`]), `${stem} Bank plc (fictional)`],
  'building-society': (stem) => [`${stem} Building Society`, `${stem} Building Society (fictional)`],
  'credit-union': (stem) => [`${stem} Credit Union`, `${stem} Credit Union Limited (fictional)`],
  platform: (stem) => [`${stem} Cash Platform`, `${stem} Platform Limited (fictional)`],
}

type FictionalType = keyof typeof naming

/** Types of the first ten providers. Includes every type. `pickType` repeats the list so that 100 providers include 55 banks and 35 building societies. */
const typeCycle: readonly FictionalType[] = [
  'bank',
  'building-society',
  'bank',
  'platform',
  'bank',
  'building-society',
  'bank',
  'credit-union',
  'building-society',
  'bank',
]
const rareTypes: ReadonlySet<FictionalType> = new Set(['platform', 'credit-union'])

function pickType(index: number): FictionalType {
  const type = typeCycle[index % typeCycle.length] ?? 'bank'
  // From the eleventh provider on, half of the platforms become banks, and half of the credit unions become building societies.
  if (index < typeCycle.length || !rareTypes.has(type) || index % 20 < 10) return type
  return type === 'platform' ? 'bank' : 'building-society'
}

const towns = [
  'London',
  'Leeds',
  'Manchester',
  'Edinburgh',
  'Bristol',
  'Cardiff',
  'Belfast',
  'Newcastle',
  'Birmingham',
  'Norwich',
  'Exeter',
  'Glasgow',
  'Nottingham',
  'York',
]

/** Muted logo background colours that look good next to each other on one page. */
const colours = [
  '#1f3a5f',
  '#2f5d50',
  '#6b2d3c',
  '#4a3f6b',
  '#8a5a2b',
  '#0f4c5c',
  '#3d5a3a',
  '#7a3e1d',
  '#2b2d42',
  '#5c4d7d',
  '#006d77',
  '#84563c',
  '#394867',
  '#556b2f',
  '#7d4f50',
  '#264653',
  '#9a6b1f',
  '#5e3023',
  '#335c67',
  '#4f6d7a',
  '#c9b458',
  '#d8a48f',
  '#a3b18a',
  '#8fb8de',
]

/**
 * For about one bank in eight, picks an earlier bank to share a licence with, so that the data includes shared protection limits. Otherwise returns undefined.
 */
function drawLicensor(type: FictionalType, earlier: readonly GeneratedProvider[], random: Random): GeneratedProvider | undefined {
  const banks = earlier.filter(({ providerType }) => providerType === 'bank')
  return type === 'bank' && banks.length > 1 && random.chance(13) ? random.pick(banks) : undefined
}

/** Picks the founding year and the owner. Building societies and credit unions are old and owned by their members. */
function drawHistory(type: FictionalType, licensor: GeneratedProvider | undefined, random: Random) {
  const isMutual = type === 'building-society' || type === 'credit-union'
  if (isMutual) return { founded: random.between(1846, 1991), ownerName: 'Members (mutual)' }
  return { founded: random.between(1972, 2023), ownerName: licensor?.name ?? null }
}

function protection(type: FictionalType, word: string) {
  if (type === 'platform') return { protectionScheme: `Partner bank schemes (${word} platform)`, protectionLimit: null }
  return { protectionScheme: `FSCS (${word} provider)`, protectionLimit: `${fscsLimits.deposit}.00` }
}

/** True if a provider has a logo. One in 29 has none, so that the data includes null logos. */
const hasLogo = (index: number) => index % 29 !== 9

export type ProviderDraw = {
  readonly names: readonly string[]
  /**
   * Kind of market (`demonstration` or `sample`). Part of each provider's protection scheme, such as `FSCS (sample provider)`, to show that the firm is
   * fictional and not protected.
   */
  readonly word: string
  /** Percentage of banks that offer current accounts and participate in the Current Account Switch Service. */
  readonly withCurrentAccounts: number
  readonly random: Random
}

/** Generates one provider for each name. */
export function generateProviders({ names, word, withCurrentAccounts, random }: ProviderDraw): GeneratedProvider[] {
  const providers: GeneratedProvider[] = []
  for (const [index, stem] of names.entries()) {
    const providerType = pickType(index)
    const [name, ownLegalName] = naming[providerType](stem, random)
    const licensor = drawLicensor(providerType, providers, random)
    const legalName = licensor?.legalName ?? ownLegalName
    const slug = toSlug(stem)
    providers.push({
      kind: 'provider',
      slug,
      name,
      legalName,
      frn: null,
      providerType,
      website: `https://${slug}.example/`,
      headquarters: random.pick(towns),
      ...drawHistory(providerType, licensor, random),
      ownerCountry: 'GB',
      ...protection(providerType, word),
      licenceGroup: toSlug(legalName),
      cassParticipant: providerType === 'bank' && random.chance(withCurrentAccounts),
      active: true,
      colour: hasLogo(index) ? random.pick(colours) : null,
    })
  }
  return providers
}

/** Customer reviews as in a provider feed; all null for a provider without reviews. */
type GeneratedTrust = {
  readonly trustScore: string | null
  readonly trustReviewCount: number | null
  readonly trustSource: string | null
  readonly trustAsOf: string | null
}

const none: GeneratedTrust = { trustScore: null, trustReviewCount: null, trustSource: null, trustAsOf: null }

/** Adds customer reviews to most providers. The source of the reviews says that they are invented. */
export function withTrust(providers: readonly GeneratedProvider[], word: string, random: Random): (GeneratedProvider & GeneratedTrust)[] {
  return providers.map((provider) => {
    const tenths = random.around(38, 11)
    const reviews = random.pick([1, 1, 4, 10, 40]) * random.between(60, 990)
    if (!random.chance(80)) return { ...provider, ...none }
    const trustScore = `${Math.floor(tenths / 10)}.${tenths % 10}`
    return { ...provider, trustScore, trustReviewCount: reviews, trustSource: `Invented for the ${word} market`, trustAsOf: '2026-11-01' }
  })
}
