import { scanKernel, type Scanner } from './scan-kernel.ts'

/** Numbers in a vector. */
export const DIMENSIONS = 64

/** The largest number of a vector: a vector of length 1 is stored with this factor. */
export const UNIT = 127

const PAGE = 65_536

/** In the memory of a table the query is first, then a list of rows to compare, then come the rows, then the products. */
const QUERY_AT = 0
const LIST_AT = DIMENSIONS
const MAX_LISTED = 128
const ROWS_AT = LIST_AT + MAX_LISTED * 4

/**
 * Tables of so many rows are compared in plain code, which takes microseconds. Every memory of WebAssembly takes gigabytes of addresses, and a
 * process can have some thousands of them: many small catalogs must not use them up.
 */
const SMALL = 128

/**
 * Vectors of signed bytes, one after another, that are compared with a query all at once: by a kernel of vector instructions where the
 * machine has them, otherwise in plain code. A row that was not set, or was cleared, is a vector of zeros: it is near to nothing.
 */
export class VectorTable {
  #capacity = 0
  #scanner: Scanner | undefined
  #rows = new Int8Array(0)
  #products = new Int32Array(0)
  #query = new Int8Array(DIMENSIONS)
  #list = new Int32Array(MAX_LISTED)
  #size = 0
  #productsAt = 0
  readonly #hasKernel: boolean

  constructor({ kernel = true }: { readonly kernel?: boolean } = {}) {
    this.#hasKernel = kernel
    this.#grow(64)
  }

  get bytes(): number {
    return this.#rows.byteLength + this.#products.byteLength
  }

  set(row: number, vector: Int8Array | undefined): void {
    if (row >= this.#capacity) this.#grow(Math.max(row + 1, this.#capacity * 2))
    this.#size = Math.max(this.#size, row + 1)
    if (vector === undefined) this.#rows.fill(0, row * DIMENSIONS, (row + 1) * DIMENSIONS)
    else this.#rows.set(vector, row * DIMENSIONS)
  }

  /** The row itself, not a copy: valid until the next `set`. */
  row(row: number): Int8Array {
    return this.#rows.subarray(row * DIMENSIONS, (row + 1) * DIMENSIONS)
  }

  /** The products of a vector with every row; divided by `UNIT` twice they are cosines. Valid until the next call. */
  compare(vector: Int8Array): Int32Array {
    this.#query.set(vector)
    if (this.#size === 0) return this.#products
    if (this.#scanner !== undefined) this.#scanner.scan(QUERY_AT, ROWS_AT, this.#size, this.#productsAt)
    else scanPlainly(this.#query, this.#rows, this.#products.subarray(0, this.#size))
    return this.#products
  }

  /** The vector that `pick` compares with, until the next `aim` or `compare`. */
  aim(vector: Int8Array): void {
    this.#query.set(vector)
  }

  /** The products of the vector of `aim` with the first rows of a list, each at the place of its row: cheaper than `compare` where few rows matter. */
  pick(rows: Int32Array, count: number): Int32Array {
    for (let from = 0; from < count; from += MAX_LISTED) this.#pickSome(rows, from, Math.min(count, from + MAX_LISTED))
    return this.#products
  }

  #pickSome(rows: Int32Array, from: number, to: number): void {
    const scanner = this.#scanner
    for (let at = from; at < to; at++) {
      const row = rows[at] as number
      if (scanner === undefined) scanPlainly(this.#query, this.row(row), this.#products.subarray(row, row + 1))
      else this.#list[at - from] = row
    }
    scanner?.pick(QUERY_AT, ROWS_AT, to - from, this.#productsAt, LIST_AT)
  }

  #grow(capacity: number): void {
    const old = this.#rows
    const bytes = ROWS_AT + capacity * DIMENSIONS + capacity * 4
    const kernel = this.#hasKernel && capacity > SMALL ? scanKernel() : undefined
    const memory = kernel?.memory(Math.ceil(bytes / PAGE))
    const buffer = memory?.buffer ?? new ArrayBuffer(bytes)
    this.#capacity = capacity
    this.#productsAt = ROWS_AT + capacity * DIMENSIONS
    this.#query = new Int8Array(buffer, QUERY_AT, DIMENSIONS)
    this.#list = new Int32Array(buffer, LIST_AT, MAX_LISTED)
    this.#rows = new Int8Array(buffer, ROWS_AT, capacity * DIMENSIONS)
    this.#products = new Int32Array(buffer, this.#productsAt, capacity)
    this.#rows.set(old)
    this.#scanner = memory === undefined ? undefined : kernel?.scanner(memory)
  }
}

function scanPlainly(query: Int8Array, rows: Int8Array, products: Int32Array): void {
  for (let row = 0, at = 0; row < products.length; row++) {
    let sum = 0
    for (let index = 0; index < DIMENSIONS; index++) sum += (query[index] as number) * (rows[at++] as number)
    products[row] = sum
  }
}

/** A vector of length 1 as signed bytes; undefined for a vector without a direction. */
export function packed(vector: Float32Array): Int8Array | undefined {
  let square = 0
  for (let index = 0; index < vector.length; index++) square += (vector[index] as number) ** 2
  if (!(square > 0) || !Number.isFinite(square)) return undefined
  const factor = UNIT / Math.sqrt(square)
  const bytes = new Int8Array(vector.length)
  for (let index = 0; index < vector.length; index++) bytes[index] = Math.round((vector[index] as number) * factor)
  return bytes
}
