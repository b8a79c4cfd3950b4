import type { JsonSchema } from '../json-schema.ts'
import { isMinorUnit } from './money.ts'
import { gridOf, type NumberReading, numberReadings } from './number-readings.ts'
import type { Misfit } from './walk.ts'

/** Numbers that are names: their zeros and letters count. */
const CODES: ReadonlySet<string> = new Set(['code', 'zip', 'postcode', 'phone', 'extension', 'serial', 'batch', 'lot'])

/** All numbers that a text may stand for in a field. */
export function numbers(text: string, { node, place, walk: { facts } }: Misfit, decimal = facts.decimal): readonly NumberReading[] {
  const isMoney = place.kind === 'money'
  // `5.00` cents are five cents or five hundred.
  if (isMinorUnit(place) && /[.,]\d{1,2}$/.test(text)) return []
  // In a year the first two digits are missing; a sign before a count may mean `more`.
  if (place.words.includes('year') && /^\d\d$/.test(text)) return []
  if (text.startsWith('+') && isCount(node.schema)) return []
  return numberReadings(text, {
    isOnGrid: gridOf(node.schema),
    decimal,
    isMoney,
    isId: place.kind === 'id' || place.words.some((word) => CODES.has(word)),
  })
}

/** Whether only numbers without a sign are taken. */
function isCount({ minimum, exclusiveMinimum }: JsonSchema): boolean {
  return [minimum, exclusiveMinimum].some((bound) => typeof bound === 'number' && bound >= 0)
}

/** The only number of a text; undefined if there is none or a tie. */
export function onlyNumber(text: string, misfit: Misfit, grid = false): number | undefined {
  const { facts } = misfit.walk
  const readings = grid
    ? numbers(text, misfit)
    : numberReadings(text, { isOnGrid: () => true, decimal: facts.decimal, isMoney: false, isId: false })
  const [first] = readings
  return first !== undefined && readings.every(({ value }) => value === first.value) ? first.value : undefined
}
