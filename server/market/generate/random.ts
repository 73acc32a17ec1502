/**
 * Deterministic pseudo-random numbers (mulberry32). Uses only 32-bit integer arithmetic, so a seed gives the same market on every machine. Not
 * suitable for secrets.
 */
export class Random {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** Returns an integer from 0 to 4294967295. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }

  /** Returns an integer from `low` to `high`, inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor((this.next() / 4_294_967_296) * (high - low + 1))
  }

  /** Returns true with a probability of `percent` %. */
  chance(percent: number): boolean {
    return this.between(0, 99) < percent
  }

  /** Returns one of the values, all equally likely. Repeat a value to make it more likely. */
  pick<Value>(values: readonly Value[]): Value {
    const value = values[this.between(0, values.length - 1)]
    if (value === undefined) throw new RangeError('Cannot pick from an empty list.')
    return value
  }

  /** Returns a random integer from a triangular distribution around `middle`, at most `reach` away; the standard deviation is about 0.4 × `reach`. */
  around(middle: number, reach: number): number {
    const throws = [this.between(-reach, reach), this.between(-reach, reach)]
    return middle + Math.round(throws.reduce((sum, value) => sum + value, 0) / throws.length)
  }

  /** Returns the values in random order. */
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
