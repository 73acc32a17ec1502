type Entry<Value> = { readonly value: Promise<Value>; weight: number }

/**
 * Cache of values that never become stale. Concurrent calls for the same key share one load; failed loads, and values without weight, aren't cached. Beyond
 * the maximum weight, the least recently used values are dropped, except the newest.
 */
export class BoundedCache<Value> {
  readonly #maxWeight: number
  readonly #getWeight: (value: Value) => number
  readonly #entries = new Map<string, Entry<Value>>()

  constructor(maxWeight: number, getWeight: (value: Value) => number) {
    this.#maxWeight = maxWeight
    this.#getWeight = getWeight
  }

  get(key: string, load: () => Promise<Value>): Promise<Value> {
    const known = this.#entries.get(key)
    const entry = known ?? this.#load(key, load)
    // A Map iterates in insertion order, so the least recently used entry comes first.
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  #load(key: string, load: () => Promise<Value>): Entry<Value> {
    const entry: Entry<Value> = { value: load(), weight: 0 }
    entry.value.then(
      (value) => {
        entry.weight = this.#getWeight(value)
        if (entry.weight === 0) this.#entries.delete(key)
        else this.#trim(key)
      },
      () => this.#entries.delete(key),
    )
    return entry
  }

  #trim(newest: string): void {
    let total = [...this.#entries.values()].reduce((sum, { weight }) => sum + weight, 0)
    for (const [key, { weight }] of this.#entries) {
      if (total <= this.#maxWeight) return
      // An entry without weight is still loading.
      if (key === newest || weight === 0) continue
      this.#entries.delete(key)
      total -= weight
    }
  }
}
