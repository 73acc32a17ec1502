import { percent } from '../decimal.ts'
import type { FaultList } from './feed-error.ts'

/** A line that cannot be taken whatever stands. */
export type StrayLine = { readonly line: number; readonly fault: 'future' | 'unknown' | 'other' | 'two' }

const strayWords: Record<StrayLine['fault'], readonly [field: string, problem: string]> = {
  future: ['effectiveDate', 'must not be later than today in London'],
  unknown: ['sourceKey', 'names no product of the dataset; for a product of the past give providerSlug, accountName and accountType'],
  other: ['providerSlug', "must be the product's, as accountType must be"],
  two: ['providerSlug', 'and accountType must be the same on all lines of a product'],
}

/** A line that does not fit what comes before or behind it. `rate` is what it leaves the product at, `now` what it should; null: not listed. */
export type BrokenLink = {
  readonly line: number
  readonly fault: 'same day' | 'first' | 'between' | 'gone' | 'same' | 'end'
  /** Day of the change before. */
  readonly since: string | null
  readonly rate: number | null
  readonly now: number | null
}

const leaves = (rate: number | null) => (rate === null ? 'leaves the product withdrawn' : `leaves the product at ${percent(rate)}`)

function endWords({ rate, now }: BrokenLink): string {
  if (rate !== null && rate === now) return `${leaves(rate)}, as the dataset has it, but with another base rate or bonus`
  return `${leaves(rate)}, but ${now === null ? 'the dataset does not list it' : `the dataset has it at ${percent(now)}`}`
}

function firstWords({ rate, now }: BrokenLink): string {
  if (rate !== null && rate === now) return `${leaves(rate)}, as it was first seen, but with another base rate or bonus`
  return `${leaves(rate)}, but it was first seen ${now === null ? 'withdrawn' : `at ${percent(now)}`}`
}

const wordsOf: Record<BrokenLink['fault'], (link: BrokenLink) => readonly [field: string, problem: string]> = {
  'same day': () => ['effectiveDate', 'is the day on which the product was first seen, with another rate; what was before has to be dated before'],
  first: (link) => [link.rate === null ? 'withdrawn' : 'rate', `${firstWords(link)}; the changes before have to lead there`],
  between: () => ['effectiveDate', 'falls between changes that are history already'],
  gone: () => ['withdrawn', 'must not be the first that is said of a product'],
  same: ({ rate, since }) => ['rate', `changes nothing: it is ${rate === null ? 'withdrawn' : percent(rate)} since ${since} already`],
  end: (link) => [link.rate === null ? 'withdrawn' : 'rate', `${endWords(link)}; the last change has to lead to what is listed now`],
}

export function addStrayLines(faults: FaultList, lines: readonly StrayLine[]): void {
  for (const { line, fault } of lines) faults.add(line, ...strayWords[fault])
}

export function addBrokenLinks(faults: FaultList, links: readonly BrokenLink[]): void {
  for (const link of links) faults.add(link.line, ...wordsOf[link.fault](link))
}
