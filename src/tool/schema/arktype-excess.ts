import { isRecord } from './json-schema.ts'
import type { ExcessList } from './excess-list.ts'

const WORDS: Readonly<Record<string, string>> = { predicate: 'a narrowing', morphs: 'a transform' }

/** Reads the plain form of an arktype schema, in which functions have names of their own. At which field they stand is not told. */
export function arktypeExcess(json: unknown, list: ExcessList): void {
  if (Array.isArray(json)) for (const each of json) arktypeExcess(each, list)
  if (!isRecord(json)) return
  for (const [key, inner] of Object.entries(json)) {
    const what = Object.hasOwn(WORDS, key) ? WORDS[key] : undefined
    if (what === undefined || !Array.isArray(inner)) arktypeExcess(inner, list)
    else if (list.side === 'input' || key === 'predicate')
      for (const each of inner) list.add('', what, { identity: `arktype ${nameOf(each)}` })
  }
}

function nameOf(each: unknown): string {
  return isRecord(each) ? String(each['predicate']) : String(each)
}
