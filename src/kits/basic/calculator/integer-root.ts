/** The largest whole number whose power of the given degree is not above `value`, which is not negative. */
export function integerRoot(value: bigint, degree: number): bigint {
  if (value < 2n) return value
  const power = BigInt(degree)
  const bits = value.toString(2).length
  let guess = 1n << BigInt(Math.ceil(bits / degree))
  // From above, each step of Newton's comes closer until it would rise again.
  for (;;) {
    const next = ((power - 1n) * guess + value / guess ** (power - 1n)) / power
    if (next >= guess) return guess
    guess = next
  }
}

/** The root where it is a whole number. */
export function exactRoot(value: bigint, degree: number): bigint | undefined {
  const root = integerRoot(value, degree)
  return root ** BigInt(degree) === value ? root : undefined
}
