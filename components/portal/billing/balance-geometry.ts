import { scaleTo } from '../bar-geometry.ts'

/** Where the steps of a balance stand in a chart whose sides are 0 to 100, from the left and from the top. Zero is always within it. */

export type BalanceDay = { readonly day: string; readonly balanceCredits: number; readonly movedCredits: number; readonly toppedUpCredits: number }

export type BalanceChart = {
  /** One step a day, straight up or down where the next one begins. */
  readonly line: string
  readonly steps: readonly { readonly left: number; readonly width: number; readonly top: number }[]
  readonly ticks: readonly { readonly value: number; readonly top: number }[]
}

/** Null when there is nothing to draw: no balance, and nothing that moved it. */
export function balanceChart(days: readonly BalanceDay[]): BalanceChart | null {
  const balances = days.map(({ balanceCredits }) => balanceCredits)
  const [lowest, highest] = [Math.min(0, ...balances), Math.max(0, ...balances)]
  if (lowest === highest) return null
  const size = scaleTo(highest - lowest)[1] ?? 1
  const [first, last] = [Math.floor(lowest / size), Math.ceil(highest / size)]
  const scale = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * size)
  const topOf = (value: number) => 100 - ((value - first * size) / ((last - first) * size)) * 100
  const width = 100 / days.length
  const steps = balances.map((balance, index) => ({ left: index * width, width, top: topOf(balance) }))
  const line = steps.map(({ left, top }, index) => `${index === 0 ? 'M' : 'L'}${left} ${top}H${left + width}`).join('')
  return { line, steps, ticks: scale.map((value) => ({ value, top: topOf(value) })) }
}
