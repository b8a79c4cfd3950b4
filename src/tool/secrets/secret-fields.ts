import { dereference, isRecord, type JsonSchema } from '../../schema/json-schema.ts'
import { isSensitiveName } from './sensitive-name.ts'

const MAX_HOPS = 64

/** The schemas that may describe one value: a union has several. */
export type Described = readonly JsonSchema[]

/** Reads off a schema which values are secrets, through references and whatever the schema composes. */
export class SecretFields {
  readonly #root: JsonSchema
  /** Of lists whose items are all alike. */
  readonly #items = new Map<Described, Described>()

  constructor(root: JsonSchema) {
    this.#root = root
  }

  get root(): Described {
    return this.#expand([this.#root])
  }

  field(described: Described, key: string): Described {
    return this.#expand(
      described.flatMap((schema) => {
        const { properties } = schema
        return isRecord(properties) && Object.hasOwn(properties, key) ? [properties[key]] : [schema['additionalProperties']]
      }),
    )
  }

  item(described: Described, index: number): Described {
    const isTuple = described.some(({ prefixItems }) => Array.isArray(prefixItems) && index < prefixItems.length)
    if (isTuple) return this.#expand(described.map(({ prefixItems, items }) => (Array.isArray(prefixItems) ? prefixItems[index] : items)))
    let items = this.#items.get(described)
    if (items === undefined) {
      items = this.#expand(described.map((schema) => schema['items']))
      this.#items.set(described, items)
    }
    return items
  }

  #expand(given: readonly unknown[]): Described {
    if (given.length === 0) return NOTHING
    const found: JsonSchema[] = []
    const add = (schema: unknown): void => {
      if (!isRecord(schema) || found.includes(schema) || found.length > MAX_HOPS) return
      found.push(schema)
      add(dereference(schema['$ref'], this.#root))
      for (const keyword of ['allOf', 'anyOf', 'oneOf']) {
        const list = schema[keyword]
        if (Array.isArray(list)) for (const each of list) add(each)
      }
    }
    for (const each of given) add(each)
    return found
  }
}

const NOTHING: Described = []

/** A value is a secret when its schema says so (`sensitive: true`, `writeOnly: true`, `format: 'password'`), or else when its name does. */
export function isSecret(described: Described, name?: string): boolean {
  const declared = described.flatMap(declaration)
  if (declared.length > 0) return declared.includes(true)
  return name !== undefined && isSensitiveName(name)
}

function declaration({ sensitive, writeOnly, format }: JsonSchema): readonly boolean[] {
  const said = [sensitive, writeOnly].filter((each) => typeof each === 'boolean')
  return format === 'password' && sensitive !== false ? [...said, true] : said
}

/** Whether any field is marked as a secret. Arguments that cannot be read cannot be masked field by field: then nothing of them is shown. */
export function declaresSecrets(schema: JsonSchema): boolean {
  return /"(sensitive|writeOnly)":true|"format":"password"/.test(JSON.stringify(schema))
}
