import { arktypeExcess } from './arktype-excess.ts'
import { type Excess, ExcessList, type ExcessSide } from './excess-list.ts'
import type { StandardSchema } from './standard-schema.ts'
import { valibotExcess } from './valibot-excess.ts'
import { zodExcess } from './zod-excess.ts'

/** What a schema of a known library does beyond its JSON Schema. Of other libraries nothing is known, and nothing is said. */
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
