import { type Quantity, quantityOf } from './quantity.ts'
import { isBlank } from './table.ts'

/** Units of one family, each as a multiple of the first. */
const FAMILIES: Readonly<Record<'s' | 'B', Readonly<Record<string, number>>>> = {
  s: { s: 1, sec: 1, ns: 1e-9, us: 1e-6, µs: 1e-6, ms: 1e-3, m: 60, min: 60, h: 3600, hr: 3600, d: 86_400, w: 604_800 },
  B: {
    B: 1,
    K: 1024,
    k: 1000,
    KB: 1000,
    kB: 1000,
    KiB: 1024,
    Ki: 1024,
    M: 1024 ** 2,
    MB: 1e6,
    MiB: 1024 ** 2,
    Mi: 1024 ** 2,
    G: 1024 ** 3,
    GB: 1e9,
    GiB: 1024 ** 3,
    Gi: 1024 ** 3,
    T: 1024 ** 4,
    TB: 1e12,
    TiB: 1024 ** 4,
    Ti: 1024 ** 4,
  },
}
const PARTS = /^(?:\d{1,6}(?:\.\d{1,6})?\s?(?:ms|us|µs|ns|min|[wdhms])\s?){1,5}$/
const PART = /(\d{1,6}(?:\.\d{1,6})?)\s?([a-zµ]+)/g
const LOOKED_AT = 200
const NEARLY_ALL = 0.9

type ReadCell = (cell: unknown) => Quantity | undefined

/** How cells are read that have different units of one family, such as `45h` and `3d12h`, or `812K` and `1.4G`; undefined where they do not. */
export function measuresIn(cells: readonly unknown[]): ReadCell | undefined {
  const told = cells.filter((cell) => !isBlank(cell)).slice(0, LOOKED_AT)
  for (const family of ['s', 'B'] as const) {
    const read: ReadCell = (cell) => measureOf(cell, family)
    const measured = told.filter((cell) => read(cell) !== undefined)
    if (measured.length < Math.max(2, NEARLY_ALL * told.length)) continue
    const units = new Set(measured.map((cell) => String(cell).replace(/[\d.\s]+/g, '')))
    if (units.size > 1) return read
  }
  return undefined
}

/** Two values of one family, in its first unit: `4h` and `5h 59m`. Undefined where one of them has no unit, or another one. */
export function measuredAlike(cell: unknown, bound: unknown): readonly [cell: number, bound: number] | undefined {
  for (const family of ['s', 'B'] as const) {
    const [a, b] = [measureOf(cell, family), measureOf(bound, family)]
    if (a !== undefined && b !== undefined) return [a.value, b.value]
  }
  return undefined
}

function measureOf(cell: unknown, family: 's' | 'B'): Quantity | undefined {
  if (typeof cell !== 'string' || cell.length > 40) return undefined
  const factors = FAMILIES[family]
  if (family === 's' && PARTS.test(cell)) {
    const value = [...cell.matchAll(PART)].reduce((sum, [, number, unit = '']) => sum + Number(number) * (factors[unit] ?? Number.NaN), 0)
    return ofValue(value, family)
  }
  const quantity = quantityOf(cell)
  const factor = quantity?.unit === '' && quantity.value === 0 ? 1 : factors[quantity?.unit ?? '']
  return quantity === undefined || factor === undefined ? undefined : ofValue(quantity.value * factor, family)
}

function ofValue(value: number, unit: string): Quantity | undefined {
  return Number.isNaN(value) ? undefined : { value, digits: String(Number(value.toFixed(6))), unit }
}
