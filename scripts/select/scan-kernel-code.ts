/** Numbers of the vectors that the kernel compares. */
const DIMENSIONS = 64
const LANES = 8

const V128 = 0x7b
const I32 = 0x7f
const VECTOR = 0xfd

const get = (local: number): number[] => [0x20, local]
const set = (local: number): number[] => [0x21, local]
const constant = (value: number): number[] => [0x41, ...signed(value)]
const loadWidened = (offset: number): number[] => [VECTOR, 0x01, 0, ...unsigned(offset)]
const dot = [VECTOR, ...unsigned(186)]
const addVectors = [VECTOR, ...unsigned(174)]
const lane = (index: number): number[] => [VECTOR, 27, index]
const add = 0x6a
const subtract = 0x6b
const multiply = 0x6c
const LOAD = [0x28, 2, 0]
const STORE = [0x36, 2, 0]
const END = 0x0b

/** Parameters of both functions, and the address in the list of the second. */
const QUERY = 0
const ROWS = 1
const COUNT = 2
const OUT = 3
const LIST = 4

/**
 * The code of two functions that give the dot products of one vector of 64 signed bytes with others, as 32-bit numbers. `scan(query, rows,
 * count, out)` compares it with `count` rows that lie one after another. `pick(query, rows, count, out, list)` compares it with the rows
 * whose numbers are in `list`, and writes each product where `scan` would write it. `count` must not be 0.
 */
export function scanKernelCode(): Uint8Array<ArrayBuffer> {
  const bodies = [scanBody(), pickBody()].map((body) => [...unsigned(body.length), ...body])
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 4, I32, I32, I32, I32, 0, 0x60, 5, I32, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name('m'), ...name('m'), 0x02, 0x00, 1]),
    ...section(3, [2, 0, 1]),
    ...section(7, [2, ...name('scan'), 0, 0, ...name('pick'), 0, 1]),
    ...section(10, [2, ...bodies.flat()]),
  ])
}

function scanBody(): number[] {
  const sum = 4
  const { readQuery, compare, total, parts } = comparing({ row: ROWS, sum })
  return [
    ...[1, ...unsigned(parts + 1), V128],
    ...readQuery,
    ...[0x03, 0x40],
    ...compare,
    ...[...get(OUT), ...total, ...STORE],
    ...advance(ROWS, DIMENSIONS),
    ...advance(OUT, 4),
    ...AGAIN,
  ]
}

function pickBody(): number[] {
  const row = 5
  const place = 6
  const { readQuery, compare, total, parts } = comparing({ row, sum: 7 })
  return [
    ...[2, ...unsigned(2), I32, ...unsigned(parts + 1), V128],
    ...readQuery,
    ...[0x03, 0x40],
    ...[...get(LIST), ...LOAD, ...set(place)],
    ...[...get(ROWS), ...get(place), ...constant(DIMENSIONS), multiply, add, ...set(row)],
    ...compare,
    ...[...get(OUT), ...get(place), ...constant(4), multiply, add, ...total, ...STORE],
    ...advance(LIST, 4),
    ...AGAIN,
  ]
}

/** The query in locals behind `sum`, and the products of its parts with a row, added up. */
function comparing({ row, sum }: { readonly row: number; readonly sum: number }): Record<'readQuery' | 'compare' | 'total', number[]> & {
  readonly parts: number
} {
  const parts = DIMENSIONS / LANES
  const ofQuery = (part: number): number => sum + 1 + part
  const readQuery = range(parts).flatMap((part) => [...get(QUERY), ...loadWidened(part * LANES), ...set(ofQuery(part))])
  const products = range(parts).flatMap((part) => [
    ...get(row),
    ...loadWidened(part * LANES),
    ...get(ofQuery(part)),
    ...dot,
    ...(part === 0 ? [] : addVectors),
  ])
  const total = [...get(sum), ...lane(0), ...[1, 2, 3].flatMap((index) => [...get(sum), ...lane(index), add])]
  return { parts, readQuery, compare: [...products, ...set(sum)], total }
}

const advance = (local: number, by: number): number[] => [...get(local), ...constant(by), add, ...set(local)]
/** The next row, while there is one; the end of the loop and of the function. */
const AGAIN = [...get(COUNT), ...constant(1), subtract, 0x22, COUNT, 0x0d, 0, END, END]

function range(count: number): number[] {
  return Array.from({ length: count }, (_, index) => index)
}

function section(id: number, content: readonly number[]): number[] {
  return [id, ...unsigned(content.length), ...content]
}

function name(text: string): number[] {
  const bytes = Buffer.from(text)
  return [...unsigned(bytes.length), ...bytes]
}

function unsigned(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...unsigned(value >>> 7)]
}

function signed(value: number): number[] {
  return value < 64 ? [value] : [(value & 127) | 128, ...signed(value >> 7)]
}
