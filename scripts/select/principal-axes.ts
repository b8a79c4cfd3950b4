const SWEEPS = 12

/**
 * The directions in which vectors of so many numbers differ most, `count` of them, the widest first: the rows of a matrix that keeps as much
 * of the vectors as so few numbers can. By Jacobi rotations of their products.
 */
export function principalAxes(vectors: Float32Array, { size, count }: { readonly size: number; readonly count: number }): Float32Array {
  const products = productsOf(vectors, size)
  const axes = Float64Array.from({ length: size * size }, (_, at) => (at % (size + 1) === 0 ? 1 : 0))
  for (let sweep = 0; sweep < SWEEPS; sweep++)
    for (let first = 0; first < size; first++)
      for (let second = first + 1; second < size; second++) rotate({ products, axes, size }, first, second)
  const order = Array.from({ length: size }, (_, at) => at).toSorted((a, b) => at(products, b * size + b) - at(products, a * size + a))
  return Float32Array.from({ length: count * size }, (_, index) => at(axes, (index % size) * size + (order[Math.floor(index / size)] ?? 0)))
}

const at = (numbers: Float64Array | Float32Array, index: number): number => numbers[index] as number

function productsOf(vectors: Float32Array, size: number): Float64Array {
  const products = new Float64Array(size * size)
  for (let start = 0; start < vectors.length; start += size)
    for (let row = 0; row < size; row++)
      for (let column = 0; column < size; column++)
        products[row * size + column] = at(products, row * size + column) + at(vectors, start + row) * at(vectors, start + column)
  return products
}

interface Rotated {
  readonly products: Float64Array
  readonly axes: Float64Array
  readonly size: number
}

/** Turns two directions so that they have nothing in common. */
function rotate({ products, axes, size }: Rotated, first: number, second: number): void {
  const shared = at(products, first * size + second)
  if (Math.abs(shared) < 1e-9) return
  const slope = (at(products, second * size + second) - at(products, first * size + first)) / (2 * shared)
  const tangent = Math.sign(slope || 1) / (Math.abs(slope) + Math.sqrt(slope * slope + 1))
  const cosine = 1 / Math.sqrt(tangent * tangent + 1)
  const sine = tangent * cosine
  const turn = (numbers: Float64Array, a: number, b: number): void => {
    const [x, y] = [at(numbers, a), at(numbers, b)]
    numbers[a] = cosine * x - sine * y
    numbers[b] = sine * x + cosine * y
  }
  for (let index = 0; index < size; index++) turn(products, index * size + first, index * size + second)
  for (let index = 0; index < size; index++) turn(products, first * size + index, second * size + index)
  for (let index = 0; index < size; index++) turn(axes, index * size + first, index * size + second)
}
