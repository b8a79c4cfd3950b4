import type { JsonSchema } from '../json-schema.ts'
import type { Case } from './case.ts'
import type { Comparing } from './case-terms.ts'
import { compareConditions } from './conditions.ts'
import { type Fit, FITS, PLAIN, refused, unsure, worse } from './fit.ts'
import {
  areApartInLength,
  coversLengths,
  coversNumbers,
  givenTextRange,
  integersIn,
  isPlainText,
  missingPromise,
  type NumberRange,
  numberRange,
  numberRule,
  tellingNumbers,
  type TextRange,
  textRange,
} from './ranges.ts'
import type { Atom } from './reader.ts'

/** The cases of what is taken that a scalar may be of. */
interface Options {
  readonly live: readonly Case[]
  readonly comparison: Comparing
}

/** A range that covers the given numbers is proof that they fit, a number outside of all ranges that they do not. */
export function compareNumbers(atom: Atom, { taken, live, comparison }: Options & { readonly taken: JsonSchema }): Fit {
  const range = numberRange(atom.of.parts)
  const ranges = live.map((each) => numberRange(each.parts))
  const covering = live.filter((each, index) => each.values === undefined && coversNumbers(ranges[index] as NumberRange, range))
  const best = bestCase(atom, covering, comparison)
  if (best?.answer === 'fits') return best
  const few = integersIn(range)
  const judged = (few ?? tellingNumbers([range, ...ranges])).map((number) => ({
    number,
    isGiven: comparison.given.judgeCase(number, atom.of),
    isTaken: comparison.taken.judge(number, taken),
  }))
  const outside = judged.filter(({ isGiven, isTaken }) => isGiven === 'yes' && isTaken === 'no').map(({ number }) => number)
  const safe = outside.find((number) => Math.abs(number) <= Number.MAX_SAFE_INTEGER)
  if (safe !== undefined) return refused(`may be ${safe}, and ${ruleOf(live, ranges, safe)}`)
  if (outside.length > 0) return unsure('may be an integer so large that JavaScript would round it')
  if (few !== undefined && judged.every(({ isGiven, isTaken }) => isGiven === 'no' || isTaken === 'yes')) return FITS
  return best ?? unsure('may be a number that is not taken')
}

function ruleOf(live: readonly Case[], ranges: readonly NumberRange[], number: number): string {
  const [range] = ranges
  return range === undefined || live.length > 1 || live[0]?.values !== undefined ? 'it is not taken' : numberRule(range, number)
}

/** Lengths can be compared for certain, patterns and formats cannot. */
export function compareTexts(atom: Atom, { live, comparison }: Options): Fit {
  const range = givenTextRange(atom.of.parts)
  const ranges = live.map((each) => textRange(each.parts))
  const fits = live.map((each, index) => compareText(range, ranges[index] as TextRange, each))
  const promising = live.filter((_, index) => fits[index]?.answer === 'fits')
  const best = bestCase(atom, promising, comparison)
  if (best?.answer === 'fits') return best
  if (live.length === 1) return best ?? (fits[0] as Fit)
  const length = isPlainText(range) ? lengthOutside(range, live, ranges) : undefined
  if (length !== undefined) return refused(`may be a string of ${length} characters, which fits none of the ${live.length} options for it`)
  return best ?? unsure(`may be a string that fits none of the ${live.length} options for it`)
}

function compareText(given: TextRange, taken: TextRange, { values }: Case): Fit {
  const isPlain = isPlainText(given)
  const doubt = (why: string): Fit => (isPlain || areApartInLength(given, taken) ? refused(why) : unsure(why))
  if (given.least < taken.least) return doubt(`may be shorter than ${taken.least} characters`)
  if (!coversLengths(taken, given)) return doubt(`may be longer than ${taken.most} characters`)
  if (values !== undefined) {
    const isListed = !isPlain || given.most === 0
    return isListed ? unsure('may be none of the strings that are taken') : refused('may be any string, and only some are taken')
  }
  const promise = missingPromise(taken, given)
  return promise === undefined ? FITS : unsure(`may not match ${promise}`)
}

/** A length of a given string that no option takes. */
function lengthOutside(given: TextRange, live: readonly Case[], ranges: readonly TextRange[]): number | undefined {
  const lengths = [given.least, given.most, ...ranges.flatMap(({ least, most }) => [least - 1, most + 1])]
  return lengths.find((length) => {
    if (!Number.isFinite(length) || length < given.least || length > given.most) return false
    return live.every(({ values }, index) => {
      const { least, most } = ranges[index] as TextRange
      if (length < least || length > most) return true
      return values?.every((value) => typeof value !== 'string' || value.length !== length) === true
    })
  })
}

/** The best that conditions leave of cases whose ranges fit; undefined without any. */
function bestCase(atom: Atom, cases: readonly Case[], comparison: Comparing): Fit | undefined {
  let best: Fit | undefined
  for (const taken of cases) {
    const fit = compareConditions(atom, { taken, terms: PLAIN, isInherited: false, isOption: cases.length > 1, comparison })
    if (fit.answer === 'fits') return fit
    best = best === undefined ? fit : worse(best, fit)
  }
  return best
}
