import type { JsonSchema } from '../json-schema.ts'
import { excerpt, toJsonText } from '../quote.ts'
import type { Building, Spot } from './building.ts'
import { type Codec, NoEncoding } from './codec.ts'
import { isAny, wordsAndRules } from './flat-schema.ts'
import { Telling } from './moved-rules.ts'

const LONGEST_SCHEMA = 600

/** A value of any shape, sent as JSON text. The schema that it must fit is quoted, and validation holds it. */
export function textCodec(
  schema: JsonSchema,
  why: string,
  { building, spot }: { readonly building: Building; readonly spot: Spot },
): Codec {
  const telling = new Telling(schema, building, spot)
  telling.say('JSON text (a string is written in quotes).')
  if (!isAny(schema)) {
    const { rules } = wordsAndRules(schema)
    telling.move('schema', rules, false)
    telling.say(`The JSON must fit this schema: ${excerpt(toJsonText(rules), LONGEST_SCHEMA)}`)
  }
  building.report.lost.push({ keyword: 'schema', path: spot.path, why })
  return {
    schema: { type: 'string', description: telling.text },
    isSame: false,
    fits: (value) => typeof value === 'string',
    decode: (value) => (typeof value === 'string' ? parsed(value) : value),
    encode: (value) => {
      const text: string | undefined = JSON.stringify(value)
      if (text === undefined) throw new NoEncoding('The value cannot be written as JSON.')
      return text
    },
  }
}

/** Text that is not JSON is a string without its quotes. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text, (key, value: unknown) => (key === '__proto__' ? undefined : value))
  } catch {
    return text
  }
}
