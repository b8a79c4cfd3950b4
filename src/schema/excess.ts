/** A rule of a schema that its JSON Schema does not show. */
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

/** `input`: rules beyond the JSON Schema; `output`: guarantees beyond it. */
export type ExcessSide = 'input' | 'output'

const MAX_SCHEMAS = 5000

/** Collects what is found at the fields of one schema. */
export class ExcessList {
  readonly side: ExcessSide
  readonly found: Excess[] = []
  /** The schemas around the present one: a schema inside itself is not read again. */
  readonly #around: unknown[] = []
  #seen = 0

  constructor(side: ExcessSide) {
    this.side = side
  }

  add(path: string, what: string, { identity, refuses = true, takes = false }: Partial<Excess> & Pick<Excess, 'identity'>): void {
    this.found.push({ path, what, identity, refuses, takes })
  }

  /** JSON Schema has no flags: with some, a pattern means something else. One without is noted, so that it can be told from one with. */
  addPattern(pattern: RegExp, path: string): void {
    const isFlagged = /[imsvy]/.test(pattern.flags)
    const what = isFlagged ? `a pattern with the flag ${pattern.flags}` : 'a pattern'
    this.add(path, what, { identity: `pattern ${String(pattern)}`, refuses: isFlagged, takes: isFlagged })
  }

  /** Whether to read a schema: false for a schema inside itself or after too many. Each `enter` that returned true needs a `leave`. */
  enter(schema: unknown): boolean {
    if (this.#around.includes(schema)) return false
    if (++this.#seen > MAX_SCHEMAS) {
      if (this.#seen === MAX_SCHEMAS + 1) this.add('', 'more fields than were looked at', { identity: schema, takes: true })
      return false
    }
    this.#around.push(schema)
    return true
  }

  leave(): void {
    this.#around.pop()
  }
}
