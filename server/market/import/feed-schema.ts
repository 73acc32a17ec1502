import { z } from 'zod'
import { accountTypeValues, type ProductType } from '../../contract/account-types.ts'
import { cardLists } from '../card.ts'
import { toHundredths } from '../decimal.ts'
import { providerTypes } from '../provider.ts'
import type { FeedKind } from './feed-kind.ts'

/** The words of a fault: what is missing, or what the value must be. They are read after the name of the field. */
const must = (be: string) => ({
  error: ({ input }: { input?: unknown }) => (input === undefined || input === null ? 'is missing' : `must be ${be}`),
})

/** Printable, well-formed text. PostgreSQL cannot keep a NUL, and control characters in a name are always an accident. */
const isPrintable = (text: string) => text.isWellFormed() && !/\p{Cc}/u.test(text)

const text = (maximum: number) =>
  z
    .string(must('text'))
    .trim()
    .min(1, 'must not be empty')
    .max(maximum, `must be at most ${maximum} characters`)
    .refine(isPrintable, 'must not hold control characters')

const slug = (maximum: number) =>
  z
    .string(must('text'))
    .max(maximum, `must be at most ${maximum} characters`)
    .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/, 'must be lower-case letters and digits with single hyphens between')

const providerSlug = slug(80)

const sourceKey = z.string(must('text')).regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/, 'must be 1 to 120 letters, digits, dots, hyphens or underscores')

const url = z
  .string(must('an http or https address'))
  .max(2000, 'must be at most 2000 characters')
  .refine((value) => /^https?:\/\/[^\s/]+\.[^\s]+$/.test(value) && URL.canParse(value), 'must be an http or https address')

const enumOf = <const Values extends readonly [string, ...string[]]>(values: Values) => z.enum(values, must(`one of ${values.join(', ')}`))

const flag = z.union([z.boolean(), z.enum(['true', 'false'])], must('true or false')).transform((value) => value === true || value === 'true')

/** A decimal as text or number, read by its digits as whole hundredths. */
function hundredths(be: string, maximum: number) {
  return z.union([z.string(), z.number()], must(be)).transform((value, context) => {
    const read = toHundredths(String(value).trim())
    if (read !== undefined && read <= maximum) return read
    context.addIssue({ code: 'custom', message: `must be ${be}` })
    return z.NEVER
  })
}

const rate = () => hundredths('a percentage from 0 to 100 with at most two decimals, such as 4.50', 10_000)
const pounds = () => hundredths('an amount in pounds with at most two decimals, such as 85000.00', 99_999_999_999_999)

function whole(minimum: number, maximum: number) {
  const be = `a whole number from ${minimum} to ${maximum}`
  return z.union([z.string(), z.number()], must(be)).transform((value, context) => {
    const read = /^\d{1,9}$/.test(String(value).trim()) ? Number(value) : Number.NaN
    if (read >= minimum && read <= maximum) return read
    context.addIssue({ code: 'custom', message: `must be ${be}` })
    return z.NEVER
  })
}

const momentWords = 'must be an ISO 8601 time of this century with a zone, such as 2026-11-21T06:00:00Z'
const moment = z.iso.datetime({ offset: true, error: momentWords }).refine((value) => value.startsWith('20'), momentWords)

/** A field that may be left out, empty in CSV, or null; all three are the same. */
const optional = <T extends z.ZodType>(schema: T) => schema.nullish().transform((value) => value ?? null)

const or = <T extends z.ZodType<boolean, unknown>>(schema: T, fallback: boolean) => schema.nullish().transform((value) => value ?? fallback)

const kind = <const Kind extends FeedKind>(value: Kind) =>
  z
    .literal(value, must(`"${value}"`))
    .optional()
    .describe(`Kind of the feed, "${value}". May be left out when the file name says it.`)

/** One line of a provider feed. */
export const providerSchema = z.strictObject({
  kind: kind('provider'),
  slug: providerSlug.describe('Stable key of the provider, such as harrow-vale. Products and cards name it.'),
  name: text(120).describe('Display name.'),
  legalName: text(200).describe('Registered name of the firm.'),
  frn: optional(z.string(must('text')).regex(/^\d{6,7}$/, 'must be 6 or 7 digits')).describe('FCA firm reference number, 6 or 7 digits as text.'),
  providerType: enumOf(providerTypes).describe('Kind of firm.'),
  website: url.describe('Address of the home page.'),
  founded: optional(whole(1000, 2100)).describe('Calendar year.'),
  headquarters: optional(text(120)).describe('Town of the head office.'),
  ownerName: optional(text(200)).describe('Name of the owner.'),
  ownerCountry: optional(z.string(must('text')).regex(/^[A-Z]{2}$/, 'must be two capital letters')).describe('Country of the owner, ISO 3166-1 alpha-2.'),
  protectionScheme: text(200).describe('Scheme that protects deposits, such as FSCS.'),
  protectionLimit: optional(pounds()).describe(
    'Protected for each person, pounds with at most two decimals. Left out: no limit, or it depends on a partner bank.',
  ),
  licenceGroup: slug(160).describe('Providers with the same value share one licence and one protection limit.'),
  cassParticipant: or(flag, false).describe('Whether the firm takes part in the Current Account Switch Service. Left out: false.'),
  active: or(flag, true).describe('Whether the provider is listed. Products of an inactive provider are not served. Left out: true.'),
  colour: optional(
    z
      .string(must('text'))
      .regex(/^#[0-9a-f]{6}$/i, 'must be a colour such as #2f5d50')
      .toLowerCase(),
  ).describe('Ground of the monogram logo, #rrggbb. Left out: no logo.'),
})

const productTypes = accountTypeValues.filter((type) => type !== 'all') as [ProductType, ...ProductType[]]

/** One line of a product feed. Rules that join fields stand in `validate-feed.ts`. */
export const productSchema = z.strictObject({
  kind: kind('product'),
  sourceKey: sourceKey.describe('Stable id of the product; it outlives every change, its name included.'),
  providerSlug: providerSlug.describe('Slug of a provider of the same dataset, imported before.'),
  accountName: text(200).describe('Name of the account.'),
  accountType: enumOf(productTypes).describe('Account type.'),
  rate: rate().describe('AER in percent with at most two decimals; base rate and bonus together.'),
  baseRate: rate().describe('Rate without the bonus, percent with at most two decimals.'),
  boostRate: optional(rate())
    .transform((value) => value ?? 0)
    .describe('Bonus part of the rate, percent with at most two decimals. Left out: none.'),
  boostDuration: optional(z.string(must('text')).regex(/^(?:1 month|(?!1 )[1-9]\d{0,2} months)$/, 'must be like "12 months"')).describe(
    'How long the bonus lasts, like "12 months". Needed with a bonus.',
  ),
  interestPaid: enumOf(['Daily', 'Monthly', 'Quarterly', 'Half-yearly', 'Annually', 'At maturity']).describe('How often interest is paid.'),
  interestType: enumOf(['Variable', 'Fixed', 'Tracker']).describe('Whether the rate can change.'),
  access: text(120).describe('How the money can be reached, in a few words.'),
  minBalance: pounds().describe('Smallest balance that is accepted, pounds with at most two decimals.'),
  maxBalance: optional(pounds()).describe('Largest balance that is accepted, pounds with at most two decimals. Left out: no maximum.'),
  maxMonthlyDeposit: optional(pounds()).describe('Largest deposit in a month, pounds with at most two decimals. Left out: no maximum.'),
  termMonths: optional(whole(1, 1200)).describe('Length of the term in months. Needed for fixed-rate.'),
  noticeDays: optional(whole(1, 3650)).describe('Notice in days. Needed for notice.'),
  fscsDetails: text(400).describe('Statement of the protection, one sentence.'),
  newCustomersOnly: or(flag, false).describe('Whether only new customers may open it. Left out: false.'),
  url: url.describe("The provider's own page for the product; served only by the link endpoint."),
  urlCheckedAt: optional(moment).describe('When the address was last seen to work, ISO 8601. Left out: the import that first brings the address.'),
})

/** One line of a card feed. */
export const cardSchema = z.strictObject({
  kind: kind('card'),
  sourceKey: sourceKey.describe('Stable id of the card.'),
  list: enumOf(cardLists).describe('The list that carries the card.'),
  name: text(200).describe('Name of the card.'),
  provider: text(120).describe('Display name of the issuer.'),
  providerSlug: optional(providerSlug).describe('Slug of the issuer, when it is a provider of the same dataset.'),
})

export const feedSchemas = { provider: providerSchema, product: productSchema, card: cardSchema } as const satisfies Record<FeedKind, z.ZodType>
