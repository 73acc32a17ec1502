import { createHash } from 'node:crypto'
import { twoDecimals } from '#server/api/contract/formats.ts'
import { toHundredths } from '../decimal.ts'
import type { GeneratedProduct } from './generate-products.ts'
import type { Random } from './random.ts'
import { dayNumber, drawPath, getMonth, isoDate, type PathDraw, type Step, type Terms, workingDay } from './rate-path.ts'

export type HistoryDraw = {
  readonly products: readonly GeneratedProduct[]
  /** Number of days of history, ending with `until`. */
  readonly days: number
  /** ISO date. */
  readonly until: string
  readonly random: Random
}

/** Account types whose bonuses start and end over time. */
const withBonuses: ReadonlySet<string> = new Set(['easy-access', 'cash-isa'])

const toBp = (text: string) => toHundredths(text) ?? 0

const toTerms = ({ baseRate, boostRate, boostDuration }: GeneratedProduct): Terms => ({
  base: toBp(baseRate),
  boost: toBp(boostRate),
  duration: boostDuration,
})

/** Product fields of each history record. Records of a former product need all of them, because no other feed contains that product. */
type Subject = { readonly sourceKey: string; readonly providerSlug?: string; readonly accountName?: string; readonly accountType?: string }

function line(subject: Subject, { day, terms }: Step, minute: number): string {
  const date = isoDate(day)
  const seen = `${date}T0${5 + Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}:00Z`
  const when = { kind: 'rate_history', ...subject, effectiveDate: date, detectedAt: seen }
  if (terms === null) return `${JSON.stringify({ ...when, withdrawn: true })}\n`
  const { base, boost, duration } = terms
  const bonus = boost > 0 ? { boostRate: twoDecimals(boost), boostDuration: duration } : {}
  return `${JSON.stringify({ ...when, rate: twoDecimals(base + boost), baseRate: twoDecimals(base), ...bonus })}\n`
}

/** Formats steps as feed lines. The detection time of each change is between 05:00 and 08:00 UTC. */
const lines = (subject: Subject, steps: readonly Step[], random: Random) => steps.map((step) => line(subject, step, random.between(0, 179))).join('')

/**
 * Generates the history of a product's previous issue, which was withdrawn on the day that the product launched. Its key is the product's key plus a hash, so
 * it can't equal the key of a current product.
 */
function formerIssue(product: GeneratedProduct, closedOn: number, draw: Omit<PathDraw, 'until' | 'end'>): string {
  const { random } = draw
  const end = { ...toTerms(product), base: Math.max(5, toTerms(product).base + random.between(-6, 6) * 5) }
  const accountName = `${product.accountName}, ${getMonth(draw.start)} issue`
  const digits = createHash('sha256').update(`${product.sourceKey}/${accountName}`).digest('hex').slice(0, 6)
  const { providerSlug, accountType } = product
  const subject = { sourceKey: `${product.sourceKey}-${digits}`, providerSlug, accountName, accountType }
  const path = drawPath({ ...draw, end, until: closedOn - 1 })
  return lines(subject, [...path, { day: closedOn, terms: null }], random)
}

/** Generates the history of a listed product. About one product in three launched within the period, and about half of those replaced a previous issue. */
function getHistory(product: GeneratedProduct, first: number, until: number, random: Random): string {
  const isFixed = product.interestType === 'Fixed'
  const days = until - first
  const isYoung = random.chance(isFixed ? 45 : 22) && days > 60
  const start = isYoung ? workingDay(first + random.between(8, days - 1)) : first
  const draw = { start, isFixed, mayHaveBonus: withBonuses.has(product.accountType) && !isFixed, random }
  const path = lines({ sourceKey: product.sourceKey }, drawPath({ ...draw, end: toTerms(product), until }), random)
  const hasFormer = isYoung && random.chance(50) && start - first > 60
  return hasFormer ? formerIssue(product, start, { ...draw, start: first }) + path : path
}

/**
 * Generates the history of a market: daily changes that follow the real Bank Rate, with launches, withdrawals and temporary bonuses. Replaying it
 * ends in exactly the given products. Yields the feed lines of one product at a time.
 */
export function* generateRateHistory({ products, days, until, random }: HistoryDraw): Generator<string> {
  const last = dayNumber(until)
  for (const product of products) yield getHistory(product, last - days + 1, last, random)
}
