import { isRecord } from './json-schema.ts'

/** Something that a schema does and its JSON Schema does not show. */
export interface Excess {
  /** The field, such as `items[].id`; empty for the value itself. */
  readonly path: string
  /** `a refinement`. */
  readonly what: string
  /** The same at the same field of another schema asks for the same. */
  readonly identity: unknown
  /** It may refuse what the JSON Schema takes. */
  readonly refuses: boolean
  /** It may take what the JSON Schema refuses. */
  readonly takes: boolean
}

/** Of what goes in, what is asked beyond the JSON Schema; of what comes out, what is sure beyond it. */
export type ExcessSide = 'input' | 'output'

/** Collects what is found at the fields of one schema. */
export class ExcessList {
  readonly side: ExcessSide
  readonly found: Excess[] = []
  /** The schemas that stand around the one that is looked at: one that comes up inside itself is not looked at again. */
  readonly #around: unknown[] = []
  #seen = 0

  constructor(side: ExcessSide) {
    this.side = side
  }

  add(path: string, what: string, { identity, refuses = true, takes = false }: Partial<Excess> & Pick<Excess, 'identity'>): void {
    this.found.push({ path, what, identity, refuses, takes })
  }

  /** Whether to look at a schema: as long as there is an end to it. Who has entered leaves. */
  enter(schema: unknown): boolean {
    if (this.#around.includes(schema)) return false
    if (++this.#seen > MOST_SCHEMAS) {
      if (this.#seen === MOST_SCHEMAS + 1) this.add('', 'more fields than were looked at', { identity: schema, takes: true })
      return false
    }
    this.#around.push(schema)
    return true
  }

  leave(): void {
    this.#around.pop()
  }
}

const MOST_SCHEMAS = 5000

/** JSON Schema has no flags: with some, a pattern means something else. One without is noted, so that it can be told from one with. */
export function addPattern(pattern: RegExp, path: string, list: ExcessList): void {
  const isFlagged = /[imsvy]/.test(pattern.flags)
  const what = isFlagged ? `a pattern with the flag ${pattern.flags}` : 'a pattern'
  list.add(path, what, { identity: `pattern ${String(pattern)}`, refuses: isFlagged, takes: isFlagged })
}

/** A field of something that another library made. */
export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) || typeof value === 'function' ? (value as Readonly<Record<string, unknown>>)[key] : undefined
}

/** A list of something that another library made; empty where there is none. */
export function listOf(value: unknown, key: string): readonly unknown[] {
  const list = fieldOf(value, key)
  return Array.isArray(list) ? list : []
}
