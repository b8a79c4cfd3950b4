/** A number that JavaScript would round, or write without its sign as `-0`, as it was written. */
export class ExactNumber {
  readonly source: string

  constructor(source: string) {
    this.source = source
  }

  /** It keeps its digits only to be written: the number of JavaScript is the same. */
  get isZero(): boolean {
    return formOf(this.source).sign === 0
  }

  /** In JSON it is written with all its digits. */
  toJSON(): unknown {
    return rawJSON(this.source)
  }
}

/** Newer than the types of the language that the compiler knows. */
const { rawJSON } = JSON as unknown as { readonly rawJSON: (text: string) => unknown }

export type JsonNumber = number | ExactNumber

const FEW_DIGITS = 15

/** A plain number where it equals its text exactly, else the text. */
export function numberOf(source: string): JsonNumber {
  const number = Number(source)
  if (Object.is(number, -0)) return new ExactNumber(source)
  if (source.length <= FEW_DIGITS && !/[eE]/.test(source)) return number
  return Number.isFinite(number) && compareForms(formOf(source), formOf(String(number))) === 0 ? number : new ExactNumber(source)
}

/** Negative, zero or positive, as for a sort; not by a digit wrong. */
export function compareNumbers(a: JsonNumber, b: JsonNumber): number {
  if (typeof a === 'number' && typeof b === 'number') return a < b ? -1 : a > b ? 1 : 0
  return compareForms(formOf(sourceOf(a)), formOf(sourceOf(b)))
}

export function sourceOf(number: JsonNumber): string {
  return typeof number === 'number' ? String(number) : number.source
}

export function rounded(number: JsonNumber): number {
  return typeof number === 'number' ? number : Number(number.source)
}

/** `sign * 0.digits * 10^exponent`; the digits begin and end with none that is 0. */
interface DecimalForm {
  readonly sign: -1 | 0 | 1
  readonly digits: string
  readonly exponent: bigint
}

function formOf(source: string): DecimalForm {
  const [, minus = '', units = '', decimals = '', exponent = '0'] = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source) ?? []
  const all = units + decimals
  const digits = all.replace(/^0+/, '')
  if (digits === '') return { sign: 0, digits, exponent: 0n }
  const leading = all.length - digits.length
  return {
    sign: minus === '' ? 1 : -1,
    digits: digits.replace(/0+$/, ''),
    exponent: BigInt(units.length - leading) + BigInt(exponent.replace('+', '')),
  }
}

function compareForms(a: DecimalForm, b: DecimalForm): number {
  if (a.sign !== b.sign) return a.sign - b.sign
  if (a.exponent !== b.exponent) return a.exponent > b.exponent ? a.sign : -a.sign
  return a.digits === b.digits ? 0 : a.digits > b.digits ? a.sign : -a.sign
}
