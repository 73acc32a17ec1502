/** `numerator / denominator` to the nearest whole number, halves up. Neither may be negative. */
export function halfUp(numerator: bigint, denominator: bigint): bigint {
  return (2n * numerator + denominator) / (2n * denominator)
}

/** The largest whole number whose power of this degree is not above the value, found bit by bit from the top. */
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
 * The root of `numerator / denominator` to the nearest whole number, halves up. It is exact: the half is decided on whole numbers,
 * because the nearest whole number to x is (floor(2x) + 1) / 2 without its remainder.
 */
export function halfUpRoot(numerator: bigint, denominator: bigint, degree: number): bigint {
  return (wholeRoot((numerator << BigInt(degree)) / denominator, degree) + 1n) / 2n
}
