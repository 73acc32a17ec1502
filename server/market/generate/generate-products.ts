import { createHash } from 'node:crypto'
import { z } from 'zod'
import { accountTypes, type ProductType } from '#server/api/contract/account-types.ts'
import { twoDecimals } from '#server/api/contract/formats.ts'
import file from '../data/account-profiles.json' with { type: 'json' }
import { grouped } from '../decimal.ts'
import { providerTypes } from '../provider.ts'
import { fscsLimits } from '../reference/fscs.ts'
import { type GeneratedProvider, toSlug } from './generate-providers.ts'
import { marketDay } from './market-day.ts'
import type { Random } from './random.ts'

/** Rates of one kind of account, in basis points: mean, maximum deviation from the mean (`reach`), and best rate in the market (`top`). */
const RateProfile = z.strictObject({ mean: z.int(), reach: z.int(), top: z.int() })
type RateProfile = z.infer<typeof RateProfile>

/** Withdrawal terms, and the number of withdrawals that they allow a year; null if they state no limit. */
const Access = z.tuple([z.string(), z.int().nullable()])

/** Kind of account for the generator. Amounts in whole pounds; `share` and `with…` are percentages; all values in a list are equally likely. */
const AccountProfile = z.strictObject({
  share: z.number(),
  rates: RateProfile,
  /** Rates by term in months. */
  terms: z.array(z.tuple([z.int(), RateProfile])).default([]),
  withTerm: z.number().default(0),
  notice: z.array(z.int()).default([]),
  withBonus: z.number().default(0),
  minimums: z.array(z.int()),
  /** Null means no maximum. */
  maximums: z.array(z.int().nullable()),
  monthlyDeposits: z.array(z.int()).default([]),
  names: z.array(z.string()),
  access: z.array(Access),
  interestPaid: z.array(z.string()),
  offeredBy: z.array(z.enum(providerTypes)),
})
type AccountProfile = z.infer<typeof AccountProfile>

/**
 * Profiles by account type. Their averages approximate the real market of January 2026: easy access near 2.5% with the best about 4.5%, notice 3.4%, one-year
 * bonds 3.85%, variable cash ISAs 2.7%, one-year ISAs 3.8%, with Bank Rate at 3.75%. Individual products are fictional.
 */
const accountProfiles = z.record(z.enum(Object.keys(file) as ProductType[]), AccountProfile).parse(file)

/** Terms of a regular saver without withdrawals in its first year. */
const lockedForYear = 'No withdrawals for 12 months'

const productTypes = Object.keys(accountProfiles) as ProductType[]
const totalShare = productTypes.reduce((sum, type) => sum + accountProfiles[type].share, 0)

/**
 * Returns the number of products of each type, in proportion to its share. Assigns at least two to each type (one in a market of fewer than 30 products) until
 * none are left. All remaining products are easy-access accounts.
 */
function quotas(products: number): Map<ProductType, number> {
  const counts = new Map<ProductType, number>()
  const least = products < 30 ? 1 : 2
  let left = products
  for (const type of productTypes.toReversed()) {
    const fair = Math.max(least, Math.floor((products * accountProfiles[type].share) / totalShare))
    const count = type === 'easy-access' ? left : Math.min(left, fair)
    counts.set(type, count)
    left -= count
  }
  return counts
}

/**
 * Picks a random rate near the mean, in basis points and usually a multiple of five. A rate above the market's best is replaced by one up to 39 basis points
 * below it.
 */
function drawRate({ mean, reach, top }: RateProfile, bias: number, random: Random): number {
  const drawn = random.around(mean + bias, reach)
  const rounded = random.chance(70) ? Math.round(drawn / 5) * 5 : drawn
  const floor = 5
  return rounded > top ? top - ((rounded - top) % 40) : Math.max(rounded, floor)
}

type Terms = { readonly rates: RateProfile; readonly termMonths: number | null; readonly noticeDays: number | null }

function drawTerms(profile: AccountProfile, random: Random): Terms {
  const noticeDays = profile.notice.length > 0 ? random.pick(profile.notice) : null
  if (!random.chance(profile.withTerm)) return { rates: profile.rates, termMonths: null, noticeDays }
  const [termMonths, rates] = random.pick(profile.terms)
  return { rates, termMonths, noticeDays }
}

function formatTerm(months: number): string {
  if (months % 12 !== 0) return `${months} Month`
  return `${months / 12} Year`
}

/** Picks a name without an issue number: `2 Year Fixed Rate Bond`, `90 Day Notice Account`. */
function drawName(type: ProductType, profile: AccountProfile, { termMonths, noticeDays }: Terms, random: Random): string {
  if (type === 'cash-isa' && termMonths !== null) return `${formatTerm(termMonths)} Fixed Rate ISA`
  const name = random.pick(profile.names)
  if (type === 'fixed-rate' && termMonths !== null) return `${formatTerm(termMonths)} ${name}`
  return noticeDays === null ? name : `${noticeDays} Day ${name}`
}

function drawAccess(type: ProductType, profile: AccountProfile, terms: Terms, random: Random): z.infer<typeof Access> {
  if (terms.noticeDays !== null) return [`${terms.noticeDays} days' notice`, null]
  if (type === 'cash-isa' && terms.termMonths !== null) return ['Early withdrawal with loss of interest', null]
  return random.pick(profile.access)
}

/** Picks the bonus that is included in a rate, and its duration. The bonus is at most half of the rate; 0 means none. */
function drawBonus(profile: AccountProfile, terms: Terms, rate: number, random: Random): { boost: number; duration: string | null } {
  const isBonus = terms.termMonths === null && rate >= 150 && random.chance(profile.withBonus)
  if (!isBonus) return { boost: 0, duration: null }
  const boost = Math.min(random.pick([50, 75, 100, 101, 125, 150, 175, 200]), Math.floor(rate / 2))
  return { boost, duration: random.pick(['12 months', '12 months', '12 months', '6 months', '3 months']) }
}

const money = (pounds: number) => `${pounds}.00`

function drawBalances(profile: AccountProfile, termMonths: number | null, random: Random) {
  const minBalance = random.pick(profile.minimums)
  if (profile.monthlyDeposits.length === 0) return { minBalance, maxBalance: random.pick(profile.maximums), monthly: null }
  const monthly = random.pick(profile.monthlyDeposits)
  return { minBalance, maxBalance: monthly * (termMonths ?? 60), monthly }
}

const cover = `£${grouped(fscsLimits.deposit)}`

/** Describes the protection that a real firm of this kind would have, without suggesting that the fictional firm is covered. */
function protectionText(type: ProductType, provider: GeneratedProvider, word: string): string {
  const opening = `${word.slice(0, 1).toUpperCase()}${word.slice(1)}`
  if (type === 'stocks-shares-isa') return `${opening} provider: an FSCS-protected investment firm would cover up to £85,000 per person.`
  if (provider.providerType === 'platform') return `${opening} platform: deposits would be covered by the FSCS limit of the partner bank.`
  return `${opening} provider: an FSCS-protected bank would cover up to ${cover} per person.`
}

export type ProductDraw = {
  readonly providers: readonly GeneratedProvider[]
  /** Number of products. */
  readonly products: number
  /** Kind of market (`demonstration` or `sample`), named in the protection details. */
  readonly word: string
  readonly random: Random
}

/** Makes names and keys unique. */
class Uniqueness {
  readonly #issues = new Map<string, number>()
  readonly #keys = new Set<string>()

  /** Returns the name unchanged the first time, then `… Issue 2` and so on. */
  name(slug: string, name: string): string {
    const issue = (this.#issues.get(`${slug} ${name}`) ?? 0) + 1
    this.#issues.set(`${slug} ${name}`, issue)
    return issue === 1 ? name : `${name} Issue ${issue}`
  }

  /** Returns a key such as `harrow-vale-easy-access-7f3a`. It ends with four hex digits of a hash of the name, or more if the key is taken. */
  key(slug: string, type: ProductType, name: string): string {
    for (let attempt = 0; ; attempt++) {
      const digits = createHash('sha256')
        .update(`${slug}/${type}/${name}`)
        .digest('hex')
        .slice(0, 4 + attempt)
      const key = `${slug}-${type}-${digits}`
      if (this.#keys.has(key)) continue
      this.#keys.add(key)
      return key
    }
  }
}

/** Minimum term of a bond with a maturity date, so that the date is in the future for as long as the market is in use. */
const minDatedMonths = 24

/**
 * Returns the maturity date of a bond, which is at the end of a month. Only a quarter of the longer bonds, chosen by key, have a date. The others mature one
 * term after they are opened.
 */
function getMaturityDate(sourceKey: string, termMonths: number | null): string | null {
  if (termMonths === null || termMonths < minDatedMonths || Number.parseInt(sourceKey.slice(-1), 16) >= 4) return null
  const [year = 0, month = 0] = marketDay.split('-').map(Number)
  return new Date(Date.UTC(year, month + termMonths, 0)).toISOString().slice(0, 10)
}

/** Draws the interest payment frequency. Short fixed terms mostly pay at maturity; an account without a term never matures. */
function drawInterestPaid(type: ProductType, profile: AccountProfile, { termMonths }: Terms, random: Random): string {
  const isShort = termMonths !== null && termMonths <= 12
  const drawn = isShort && type === 'fixed-rate' ? random.pick(['At maturity', 'At maturity', 'Monthly']) : random.pick(profile.interestPaid)
  return drawn === 'At maturity' && termMonths === null ? 'Annually' : drawn
}

/** Returns a product as a feed record: money and rates as strings with two decimals. */
function drawProduct(type: ProductType, provider: GeneratedProvider, bias: number, unique: Uniqueness, { word, random }: ProductDraw) {
  const profile = accountProfiles[type]
  const terms = drawTerms(profile, random)
  const rate = drawRate(terms.rates, bias, random)
  const { boost, duration } = drawBonus(profile, terms, rate, random)
  const { minBalance, maxBalance, monthly } = drawBalances(profile, terms.termMonths, random)
  const accountName = unique.name(provider.slug, drawName(type, profile, terms, random))
  const sourceKey = unique.key(provider.slug, type, accountName)
  const interestPaid = drawInterestPaid(type, profile, terms, random)
  const [access, withdrawalsPerYear] = drawAccess(type, profile, terms, random)
  // A regular saver that is locked for a year is paid into for that year only.
  const reachable = monthly !== null && access === lockedForYear ? Math.min(maxBalance ?? Number.POSITIVE_INFINITY, monthly * 12) : maxBalance
  return {
    kind: 'product' as const,
    sourceKey,
    providerSlug: provider.slug,
    accountName,
    accountType: type,
    rate: twoDecimals(rate),
    baseRate: twoDecimals(rate - boost),
    boostRate: twoDecimals(boost),
    boostDuration: duration,
    interestPaid,
    interestType: terms.termMonths === null ? 'Variable' : 'Fixed',
    access,
    minBalance: money(minBalance),
    maxBalance: reachable === null ? null : money(reachable),
    maxMonthlyDeposit: monthly === null ? null : money(monthly),
    termMonths: terms.termMonths,
    noticeDays: terms.noticeDays,
    withdrawalsPerYear,
    maturityDate: type === 'fixed-rate' ? getMaturityDate(sourceKey, terms.termMonths) : null,
    fscsDetails: protectionText(type, provider, word),
    newCustomersOnly: random.chance(duration === null ? 5 : 35),
    url: `https://${provider.slug}.example/savings/${toSlug(accountTypes[type].label)}/${toSlug(accountName)}`,
  }
}

export type GeneratedProduct = ReturnType<typeof drawProduct>

/**
 * Generates products sorted by key. Each provider's rates are slightly above or below the market's. Every provider gets an easy-access account if there are
 * enough products.
 */
export function generateProducts(draw: ProductDraw): GeneratedProduct[] {
  const { providers, products, random } = draw
  const unique = new Uniqueness()
  const biases = new Map(providers.map(({ slug }) => [slug, random.around(0, 35)]))
  const drawn: GeneratedProduct[] = []
  for (const [type, count] of quotas(products)) {
    const offering = providers.filter(({ providerType }) => accountProfiles[type].offeredBy.includes(providerType))
    for (let index = 0; index < count; index++) {
      const provider = (type === 'easy-access' ? providers[index] : undefined) ?? random.pick(offering)
      drawn.push(drawProduct(type, provider, biases.get(provider.slug) ?? 0, unique, draw))
    }
  }
  return drawn.sort((a, b) => (a.sourceKey < b.sourceKey ? -1 : 1))
}
