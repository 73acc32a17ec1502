import { scaleTo } from '../bar-geometry.ts'

/** Lays out the balance of each day as a step chart with sides of 0 to 100, measured from the top left. Zero is always in range. */

export type BalanceDay = { readonly day: string; readonly balanceCredits: number; readonly movedCredits: number; readonly toppedUpCredits: number }

export type BalanceChart = {
  /** SVG path with one step per day; vertical where the day changes. */
  readonly line: string
  readonly steps: readonly { readonly left: number; readonly width: number; readonly top: number }[]
  readonly ticks: readonly { readonly value: number; readonly top: number }[]
}

/** Returns null if there is nothing to draw: a zero balance that never changed. */
export function balanceChart(days: readonly BalanceDay[]): BalanceChart | null {
  const balances = days.map(({ balanceCredits }) => balanceCredits)
  const [lowest, highest] = [Math.min(0, ...balances), Math.max(0, ...balances)]
  if (lowest === highest) return null
  const size = scaleTo(highest - lowest)[1] ?? 1
  const [first, last] = [Math.floor(lowest / size), Math.ceil(highest / size)]
  const scale = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * size)
  const toTop = (value: number) => 100 - ((value - first * size) / ((last - first) * size)) * 100
  const width = 100 / days.length
  const steps = balances.map((balance, index) => ({ left: index * width, width, top: toTop(balance) }))
  const line = steps.map(({ left, top }, index) => `${index === 0 ? 'M' : 'L'}${left} ${top}H${left + width}`).join('')
  return { line, steps, ticks: scale.map((value) => ({ value, top: toTop(value) })) }
}
