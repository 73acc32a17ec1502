/**
 * A small repeatable source of chance (mulberry32). Only 32-bit integer arithmetic, so that a seed gives the same market on every machine;
 * it is no good for secrets.
 */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to 4294967295. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number {
    return low + Math.floor((this.next() / 4_294_967_296) * (high - low + 1))
  }

  /** True in about `percent` of 100 cases. */
  chance(percent: number): boolean {
    return this.between(0, 99) < percent
  }

  /** One of the values, each as likely as the next; a value that stands twice is twice as likely. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.between(0, values.length - 1)]
    if (value === undefined) throw new RangeError('There is nothing to pick from.')
    return value
  }

  /** A whole number around `middle` in the shape of a bell, never further than `reach` away; its standard deviation is about 0.4 × `reach`. */
  around(middle: number, reach: number): number {
    const throws = [this.between(-reach, reach), this.between(-reach, reach)]
    return middle + Math.round(throws.reduce((sum, value) => sum + value, 0) / throws.length)
  }

  /** The values in an order of chance. */
  shuffled<Value>(values: readonly Value[]): Value[] {
    const order = [...values]
    for (let last = order.length - 1; last > 0; last--) {
      const other = this.between(0, last)
      const [a, b] = [order[last], order[other]]
      if (a !== undefined && b !== undefined) [order[last], order[other]] = [b, a]
    }
    return order
  }
}
