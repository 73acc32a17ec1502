/** Returns a generator of pseudo-random numbers. The sequence is the same in every run, so that failures can be reproduced. */
export function getRandom(seed: number) {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  const below = (most: number): number => Math.floor(next() * most)
  return {
    below,
    chance: (share: number): boolean => next() < share,
    shuffled: <Item>(items: readonly Item[]): Item[] => {
      const left = [...items]
      for (let at = left.length - 1; at > 0; at--) {
        const other = below(at + 1)
        const [one, two] = [left[at], left[other]]
        if (one !== undefined && two !== undefined) [left[at], left[other]] = [two, one]
      }
      return left
    },
  }
}
