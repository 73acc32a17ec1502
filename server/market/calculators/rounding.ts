/** Divides, rounding half up to a whole number. Neither argument may be negative. */
export function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** Integer root: the largest whole number whose power doesn't exceed the value, found bit by bit from the top. */
export function wholeRoot(value: bigint, degree: number): bigint {
  const power = BigInt(degree)
  const bits = Math.ceil((value.toString(16).length * 4) / degree)
  let root = 0n
  for (let bit = 1n << BigInt(bits); bit > 0n; bit >>= 1n) {
    const candidate = root | bit
    if (candidate ** power <= value) root = candidate
  }
  return root
}

/**
 * Root of `numerator / denominator`, rounded half up to a whole number. Exact, because it uses integers only: x rounded half up is (floor(2x) +
 * 1) / 2 without its remainder.
 */
export function halfUpRoot(numerator: bigint, denominator: bigint, degree: number): bigint {
  return (wholeRoot((numerator << BigInt(degree)) / denominator, degree) + 1n) / 2n
}
