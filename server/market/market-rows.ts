import { isoDay } from '#server/api/contract/dates.ts'
import type { Prisma } from '#server/db/generated/client.ts'
import type { Card, CardList, RewardCard, TravelCard } from './cards.ts'
import { cardImagePath, logoPath } from './images.ts'
import type { Dataset, Plain, Product, productOmit } from './product.ts'
import type { Provider } from './provider.ts'

/** Columns that hold a date without a time. */
const days = new Set<string>([
  ...['trustAsOf', 'startDate', 'endDate', 'excludedIfHeldSince', 'previousBonusSince', 'periodStart', 'periodEnd', 'publishedAt', 'nextPublication'],
  ...['effectiveDate', 'previousEffectiveDate', 'date', 'maturityDate'],
])

/** Interns strings, so that equal ones share a single copy. Many rows contain the same strings, but the database driver creates new ones for every row. */
export class Interner {
  readonly #texts = new Map<string, string>()
  readonly #times = new Map<number, string>()

  text(text: string): string {
    const kept = this.#texts.get(text)
    if (kept === undefined) this.#texts.set(text, text)
    return kept ?? text
  }

  time(date: Date): string {
    const kept = this.#times.get(date.getTime()) ?? date.toISOString()
    this.#times.set(date.getTime(), kept)
    return kept
  }
}

/** Fields whose value is different in every row, so interning would save nothing. */
const unique = new Set(['sourceKey', 'url'])

function toPlainValue(field: string, value: unknown, interner: Interner): unknown {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return unique.has(field) ? value : interner.text(value)
  if (!(value instanceof Date)) return value
  return days.has(field) ? isoDay(value) : interner.time(value)
}

/** Converts the values of a row in place, to avoid copying the many rows of a market. */
export function toPlain<Row extends object>(row: Row, interner = new Interner()): Plain<Row> {
  const values = row as Record<string, unknown>
  for (const field in values) values[field] = toPlainValue(field, values[field], interner)
  return row as Plain<Row>
}

/** Returns the column name of a field. */
export const toColumn = (field: string) => field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`)

/** Converts a row that was stored as JSON, keyed by column name. Columns missing from it, because they were added later, are null. */
export function fromJson<Row>(fields: object, data: Readonly<Record<string, unknown>>): Plain<Row> {
  const toJsonValue = (field: string) => {
    const value = data[toColumn(field)] ?? null
    return typeof value === 'string' && field.endsWith('At') ? new Date(value).toISOString() : value
  }
  return Object.fromEntries(Object.keys(fields).map((field) => [field, toJsonValue(field)])) as Plain<Row>
}

/** Returns a row keyed by column name, as in a feed or a stored correction. */
export const byColumn = (row: object): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(toPlain(row)).map(([field, value]) => [toColumn(field), value]))

export function toProvider(row: Plain<Prisma.ProviderModel>): Provider {
  const { dataset, active: _, trustScoreTenths: scoreTenths, trustReviewCount: reviewCount, trustSource: source, trustAsOf: asOf, ...rest } = row
  const provider = { ...rest, logoPath: rest.colour === null ? null : logoPath(dataset as Dataset, rest.slug) } as Provider
  return scoreTenths === null || source === null || asOf === null ? provider : { ...provider, trust: { scoreTenths, reviewCount, source, asOf } }
}

/** Adds the provider, and the date since which the product has been listed, to a row in place. */
export function toProduct(row: Plain<Omit<Prisma.ProductModel, keyof typeof productOmit>>, provider: Provider, listedSince: string | null): Product {
  const { name, slug, logoPath: providerLogoPath } = provider
  return Object.assign(row, { provider: name, providerSlug: slug, providerLogoPath, listedSince }) as unknown as Product
}

type OfferRow = Prisma.SwitchOfferModel | Prisma.AccountOfferModel

/** `provider` is undefined if the provider is inactive or unknown: offers and cards link only to listed providers. */
export function toOffer<Offer>(row: Plain<OfferRow>, provider: Provider | undefined): Offer {
  const { dataset: _, providerName, withdrawnAt: __, createdAt: ___, ...rest } = row
  return { ...rest, provider: providerName, providerSlug: provider?.slug ?? null, logoPath: provider?.logoPath ?? null } as Offer
}

export function toCard({ dataset, sourceKey, list, name, providerName, network, updatedAt }: Plain<Prisma.CardModel>, provider: Provider | undefined): Card {
  const issuer = { provider: providerName, providerSlug: provider?.slug ?? null, logoPath: provider?.logoPath ?? null, colour: provider?.colour ?? null }
  return { ...issuer, sourceKey, list, name, imagePath: cardImagePath(dataset as Dataset, sourceKey), network, updatedAt } as Card
}

type CardField = keyof Prisma.CardModel

/**
 * Fields that contain the terms of the cards on each list. A card without the required terms was imported before feeds included terms, and is on neither list.
 */
const terms = {
  rewards: {
    required: ['network', 'cardType', 'annualFeePence', 'fxFeeBp', 'rewardType', 'earnRateHundredths'],
    optional: [
      ...(['representativeAprBp', 'rewardCurrencyName', 'introRateBp', 'introDurationMonths', 'welcomeBonus', 'firstYearFeePence'] as const),
      ...(['purchaseRateBp', 'minCreditLimitPence', 'cashAdvanceFee', 'minAnnualIncomePence', 'estimatedAnnualValuePence'] as const),
      ...(['representativeExample', 'newCustomersOnly'] as const),
    ],
  },
  travel: {
    required: ['network', 'cardType', 'annualFeePence', 'fxFeeBp', 'atmFeeBp', 'atmFeeMinimumPence', 'exchangeRateSource', 'supportedCurrencies'],
    optional: ['representativeAprBp', 'weekendFxFeeBp', 'atmFreeLimit', 'cashInterestFromDay1', 'cashRateBp', 'foreignRewardBp'],
  },
} as const satisfies Record<CardList, { readonly required: readonly CardField[]; readonly optional: readonly CardField[] }>

/** Adds list-specific terms to a card. Returns null if the card is on another list or lacks required terms. */
function withTerms(row: Plain<Prisma.CardModel>, card: Card, list: CardList): object | null {
  const { required, optional } = terms[list]
  if (row.list !== list || required.some((field) => row[field] === null)) return null
  return { ...card, ...Object.fromEntries([...required, ...optional].map((field) => [field, row[field]])) }
}

export function toRewardCard(row: Plain<Prisma.CardModel>, card: Card): RewardCard | null {
  const found = withTerms(row, card, 'rewards')
  return found && ({ ...found, rewardTiers: row.rewardTiers ?? [] } as unknown as RewardCard)
}

export const toTravelCard = (row: Plain<Prisma.CardModel>, card: Card): TravelCard | null => withTerms(row, card, 'travel') as TravelCard | null
