import { isNumber, type Json } from '../json.ts'
import { order } from './compare.ts'
import { type Evaluation, notEvaluated } from './evaluation.ts'

/** The first item whose key is the largest, or for -1 the smallest. */
export function extreme(items: readonly Json[], keys: readonly Json[], sign: 1 | -1): Json {
  refuseMixed(keys)
  let best = 0
  keys.forEach((key, index) => {
    if (sign * compareKeys(key, keys[best] ?? null) > 0) best = index
  })
  return items[best] ?? null
}

export function sorted(items: readonly Json[], evaluation: Evaluation): readonly Json[] {
  return sortedBy(items, items, evaluation)
}

/** Equal keys keep their order. */
export function sortedBy(items: readonly Json[], keys: readonly Json[], { budget }: Evaluation): readonly Json[] {
  refuseMixed(keys)
  budget.spend(items.length * Math.ceil(Math.log2(items.length + 1)))
  const indexes = items.map((_, index) => index).toSorted((a, b) => compareKeys(keys[a] ?? null, keys[b] ?? null))
  return indexes.map((index) => items[index] ?? null)
}

function compareKeys(a: Json, b: Json): number {
  return order(a, b) ?? 0
}

function refuseMixed(keys: readonly Json[]): void {
  if (keys.every(isNumber) || keys.every((key) => typeof key === 'string')) return
  throw notEvaluated('what is ordered by must be numbers only or texts only; filter out what has none, such as [?name]')
}
