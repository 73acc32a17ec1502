import { dayMs, isoDay } from '#server/api/contract/dates.ts'
import bankRate from '../data/bank-rate.json' with { type: 'json' }
import { toHundredths } from '../decimal.ts'
import type { Random } from './random.ts'

/** Returns the number of days from 1 January 1970 to a date, so that the generator can do arithmetic on dates. */
export const dayNumber = (date: string): number => Math.floor(Date.parse(`${date}T00:00:00Z`) / dayMs)

export const isoDate = (day: number): string => isoDay(day * dayMs)

const monthYear = new Intl.DateTimeFormat('en-GB', { month: 'long', year: 'numeric', timeZone: 'UTC' })

/** Formats the month of a day: `March 2025`. */
export const getMonth = (day: number): string => monthYear.format(day * dayMs)

/** Returns the day itself or, at a weekend, the Friday before: banks change rates on working days. */
export function workingDay(day: number): number {
  // Day 0 was a Thursday, so Saturday is 2 and Sunday 3.
  const weekday = day % 7
  return weekday === 2 || weekday === 3 ? day - (weekday - 1) : day
}

/** Change of Bank Rate: day number, and the rate before and after in basis points. */
type BankRateMove = { readonly day: number; readonly beforeBp: number; readonly rateBp: number }

function readMoves(): BankRateMove[] {
  const days = Object.entries(bankRate.series.IUDBEDR).map(([date, text]) => ({ day: dayNumber(date), rateBp: toHundredths(text) ?? 0 }))
  return days.flatMap(({ day, rateBp }, index) => {
    const beforeBp = days[index - 1]?.rateBp ?? rateBp
    return beforeBp === rateBp ? [] : [{ day, beforeBp, rateBp }]
  })
}

/** All real changes of Bank Rate since December 2007, oldest first. */
const bankRateMoves: readonly BankRateMove[] = readMoves()

/** Base rate and bonus of a product in basis points, and the duration of the bonus. */
export type Terms = { readonly base: number; readonly boost: number; readonly duration: string | null }

/** Terms of a product from a given day; null while the product is withdrawn. */
export type Step = { readonly day: number; readonly terms: Terms | null }

export type PathDraw = {
  /** Terms on the last day. */
  readonly end: Terms
  /** First and last day, in days since 1 January 1970. */
  readonly start: number
  readonly until: number
  /** Fixed rates change more often, and follow Bank Rate less closely. */
  readonly isFixed: boolean
  readonly mayHaveBonus: boolean
  readonly random: Random
}

/** Rate change on a given day. `before` returns the terms before the change, given the terms after it. */
type Turn = { readonly day: number; readonly before: (after: Terms) => Terms }

const lowest = 5
const total = ({ base, boost }: Terms) => base + boost
const rounded = (bp: number) => Math.round(bp / 5) * 5

/** Returns the terms with a different base rate, which is raised to the minimum if necessary. */
const withBase = (terms: Terms, base: number): Terms => ({ ...terms, base: Math.max(lowest, base) })

/** Returns the delayed, partial effect of a Bank Rate change, or null if there is none. Fixed rates often anticipate the change. */
function followBankRate({ day, beforeBp, rateBp }: BankRateMove, { isFixed, random }: PathDraw): Turn | null {
  const share = isFixed ? random.between(25, 70) : random.between(55, 100)
  const lag = isFixed ? random.between(-25, 20) : random.between(4, 40)
  if (!random.chance(isFixed ? 60 : 88)) return null
  const change = rounded(((rateBp - beforeBp) * share) / 100)
  return { day: workingDay(day + lag), before: (after) => withBase(after, after.base - change) }
}

/** Returns Bank Rate on a day minus Bank Rate on the day `until`, in basis points. */
function bankRateAhead(day: number, until: number): number {
  const on = (when: number) => bankRateMoves.findLast((move) => move.day <= when)?.rateBp ?? bankRateMoves[0]?.beforeBp ?? 0
  return on(day) - on(until)
}

/** Returns a change that doesn't follow Bank Rate. It usually moves a rate back if the rate has drifted away from Bank Rate. */
function ownChange(day: number, { end, until, random, isFixed }: PathDraw): Turn {
  const size = random.pick([5, 5, 10, 10, 10, 15, 20, 25, 30])
  const noise = random.between(-60, 60)
  const before = (after: Terms): Terms => {
    const usual = total(end) + (bankRateAhead(day, until) * (isFixed ? 50 : 80)) / 100
    const isAbove = total(after) > usual + noise
    return withBase(after, after.base + (isAbove ? -size : size))
  }
  return { day, before }
}

/** Returns the start or end of a bonus. In 40 % of cases, the base rate changes by the opposite amount, so the total rate stays the same. */
function bonusChange(day: number, { random }: PathDraw): Turn {
  const size = random.pick([25, 50, 50, 75, 100])
  const isSwap = random.chance(40)
  const before = (after: Terms): Terms => {
    if (after.boost > 0) return { base: isSwap ? total(after) : after.base, boost: 0, duration: null }
    if (total(after) < size + 2 * lowest) return after
    return { base: isSwap ? after.base - size : after.base, boost: size, duration: '12 months' }
  }
  return { day, before }
}

/** Picks random working days: at most one in each block of 30 days, with a probability of `percent` %. */
function chanceDays({ start, until, random }: PathDraw, percent: number): number[] {
  const days: number[] = []
  for (let block = start + 1; block <= until; block += 30) {
    const day = workingDay(block + random.between(0, 29))
    if (random.chance(percent)) days.push(day)
  }
  return days
}

function drawTurns(draw: PathDraw): Turn[] {
  const moves = bankRateMoves.filter(({ day }) => day > draw.start - 30 && day <= draw.until).flatMap((move) => followBankRate(move, draw) ?? [])
  const own = chanceDays(draw, draw.isFixed ? 24 : 17).map((day) => ownChange(day, draw))
  const bonuses = draw.mayHaveBonus ? chanceDays(draw, 3).map((day) => bonusChange(day, draw)) : []
  const turns = [...moves, ...own, ...bonuses].filter(({ day }) => day > draw.start && day <= draw.until)
  return turns.sort((a, b) => b.day - a.day)
}

/** Picks the days on which a temporary withdrawal starts and ends; null if there is none, as for most products. */
function drawPause({ start, until, random }: PathDraw): readonly [from: number, to: number] | null {
  const from = workingDay(start + random.between(30, Math.max(31, until - start)))
  const to = workingDay(from + random.between(20, 120))
  return random.chance(4) && from > start && to < until ? [from, to] : null
}

const isSame = (a: Terms, b: Terms) => a.base === b.base && a.boost === b.boost && a.duration === b.duration

/**
 * Generates the rate history of a product, oldest first. Generated backwards, so that it ends in exactly the given terms. Every step differs from
 * the one before.
 */
export function drawPath(draw: PathDraw): Step[] {
  const pause = drawPause(draw)
  const steps: Step[] = []
  let terms = draw.end
  let isPaused = false
  for (const { day, before } of drawTurns(draw)) {
    if (pause && !isPaused && day <= pause[1]) {
      steps.push({ day: pause[1], terms }, { day: pause[0], terms: null })
      isPaused = true
    }
    const earlier = before(terms)
    const isHidden = pause && day >= pause[0] && day <= pause[1]
    if (isHidden || steps.at(-1)?.day === day || isSame(earlier, terms)) continue
    steps.push({ day, terms })
    terms = earlier
  }
  if (pause && !isPaused) steps.push({ day: pause[1], terms }, { day: pause[0], terms: null })
  return [...steps, { day: draw.start, terms }].reverse()
}
