import { type Excess, ExcessList, type ExcessSide } from './excess.ts'
import { isRecord } from './json-schema.ts'
import type { StandardSchema } from './standard-schema.ts'
import { valibotExcess } from './valibot-excess.ts'
import { zodExcess } from './zod-excess.ts'

/** The rules of a schema of a known library beyond its JSON Schema; none for other libraries. */
export function excessOf(schema: StandardSchema, side: ExcessSide): readonly Excess[] {
  const { vendor } = schema['~standard']
  const list = new ExcessList(side)
  try {
    if (vendor === 'zod') zodExcess(schema, '', list)
    else if (vendor === 'valibot') valibotExcess(schema, '', list)
    else if (vendor === 'arktype' && 'json' in schema) arktypeExcess(schema.json, list)
  } catch {
    return list.found
  }
  return list.found
}

const WORDS_OF_ARKTYPE: Readonly<Record<string, string>> = { predicate: 'a narrowing', morphs: 'a transform' }

/** Reads the plain form of an arktype schema, in which functions have names of their own. At which field they stand is not told. */
function arktypeExcess(json: unknown, list: ExcessList): void {
  if (Array.isArray(json)) for (const each of json) arktypeExcess(each, list)
  if (!isRecord(json)) return
  for (const [key, inner] of Object.entries(json)) {
    const what = Object.hasOwn(WORDS_OF_ARKTYPE, key) ? WORDS_OF_ARKTYPE[key] : undefined
    if (what === undefined || !Array.isArray(inner)) arktypeExcess(inner, list)
    else if (list.side === 'input' || key === 'predicate')
      for (const each of inner) list.add('', what, { identity: `arktype ${nameOf(each)}` })
  }
}

function nameOf(each: unknown): string {
  return isRecord(each) ? String(each['predicate']) : String(each)
}
