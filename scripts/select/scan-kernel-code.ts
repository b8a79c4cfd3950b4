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
const END = 0x0b

/** Parameters and locals of the one function. */
const QUERY = 0
const ROW = 1
const COUNT = 2
const OUT = 3
const SUM = 4
const FIRST_OF_QUERY = 5

/**
 * The code of `scan(query, rows, count, out)`: the dot products of one vector of 64 signed bytes with `count` others that lie one after
 * another, as 32-bit numbers. `rows` must not be empty.
 */
export function scanKernelCode(): Uint8Array<ArrayBuffer> {
  const parts = DIMENSIONS / LANES
  const readQuery = range(parts).flatMap((part) => [...get(QUERY), ...loadWidened(part * LANES), ...set(FIRST_OF_QUERY + part)])
  const products = range(parts).flatMap((part) => [
    ...get(ROW),
    ...loadWidened(part * LANES),
    ...get(FIRST_OF_QUERY + part),
    ...dot,
    ...(part === 0 ? [] : addVectors),
  ])
  const total = [...get(SUM), ...lane(0), ...[1, 2, 3].flatMap((index) => [...get(SUM), ...lane(index), add])]
  const body = [
    ...unsigned(1),
    ...unsigned(parts + 1),
    V128,
    ...readQuery,
    ...[0x03, 0x40],
    ...products,
    ...set(SUM),
    ...get(OUT),
    ...total,
    ...[0x36, 2, 0],
    ...[...get(ROW), ...constant(DIMENSIONS), add, ...set(ROW)],
    ...[...get(OUT), ...constant(4), add, ...set(OUT)],
    ...[...get(COUNT), ...constant(1), subtract, 0x22, COUNT],
    ...[0x0d, 0],
    END,
    END,
  ]
  return new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [1, 0x60, 4, I32, I32, I32, I32, 0]),
    ...section(2, [1, ...name('m'), ...name('m'), 0x02, 0x00, 1]),
    ...section(3, [1, 0]),
    ...section(7, [1, ...name('scan'), 0, 0]),
    ...section(10, [1, ...unsigned(body.length), ...body]),
  ])
}

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
