import { dereference, isRecord, type JsonSchema } from '../../schema/json-schema.ts'

const NONE: readonly never[] = []

/** The places of one schema that references name: embedded schemas with an `$id`, and anchors. Read once, on the first such reference. */
export class SchemaReferences {
  readonly #root: JsonSchema
  /** The targets of each schema that was asked for: a list may ask for those of its items again for each of them. */
  readonly #found = new Map<JsonSchema, readonly JsonSchema[]>()
  #places: Places | undefined

  constructor(root: JsonSchema) {
    this.#root = root
  }

  /** Every schema that `$ref`, `$dynamicRef` or `$recursiveRef` of this schema may mean. A dynamic reference may mean each anchor of its name. */
  of(schema: JsonSchema): readonly JsonSchema[] {
    const { $ref, $dynamicRef, $recursiveRef } = schema
    if ($ref === undefined && $dynamicRef === undefined && $recursiveRef === undefined) return NONE
    let found = this.#found.get(schema)
    if (found === undefined) {
      found = [$ref, $dynamicRef, $recursiveRef].flatMap((reference) => (typeof reference === 'string' ? this.#targets(reference) : []))
      this.#found.set(schema, found)
    }
    return found
  }

  /** Whether a pointer means the same place wherever it is written: no schema inside has an `$id` of its own. */
  get isOneResource(): boolean {
    return (this.#places ??= placesIn(this.#root)).resources.length === 1
  }

  #targets(reference: string): readonly JsonSchema[] {
    const plain = dereference(reference, this.#root)
    const { ids, anchors, resources } = (this.#places ??= placesIn(this.#root))
    if (plain !== undefined && resources.length === 1) return [plain]
    const [base = '', fragment = ''] = split(reference)
    const within: readonly JsonSchema[] = base === '' ? resources : resources.filter((each) => isCalled(ids.get(each), base))
    if (fragment === '') return base === '' ? [this.#root] : within
    if (!fragment.startsWith('/')) return anchors.get(fragment) ?? []
    return within.map((each) => dereference(`#${fragment}`, each)).filter((each) => each !== undefined)
  }
}

interface Places {
  readonly ids: ReadonlyMap<JsonSchema, string>
  readonly anchors: ReadonlyMap<string, readonly JsonSchema[]>
  /** The root, and every schema with an `$id`. */
  readonly resources: readonly JsonSchema[]
}

function placesIn(root: JsonSchema): Places {
  const ids = new Map<JsonSchema, string>()
  const anchors = new Map<string, JsonSchema[]>()
  const resources = new Set<JsonSchema>([root])
  const seen = new Set<object>()
  const left: unknown[] = [root]
  while (left.length > 0) {
    const node = left.pop()
    if (typeof node !== 'object' || node === null || seen.has(node)) continue
    seen.add(node)
    left.push(...Object.values(node))
    if (!isRecord(node)) continue
    const { $id, $anchor, $dynamicAnchor } = node
    if (typeof $id === 'string') {
      ids.set(node, $id)
      resources.add(node)
    }
    for (const name of [$anchor, $dynamicAnchor]) if (typeof name === 'string') anchors.set(name, [...(anchors.get(name) ?? []), node])
  }
  return { ids, anchors, resources: [...resources] }
}

function split(reference: string): readonly string[] {
  const at = reference.indexOf('#')
  return at === -1 ? [reference] : [reference.slice(0, at), reference.slice(at + 1)]
}

/** Bases are not resolved: an `$id` is recognised by its end, so that `node` is found as `https://example.com/node`. */
function isCalled(id: string | undefined, base: string): boolean {
  if (id === undefined) return false
  const [known = ''] = split(id)
  const end = base.replace(/^\.?\//, '')
  return known === base || known === end || known.endsWith(`/${end}`) || base.endsWith(`/${known}`)
}
