import { isNumber } from '../../json/json.ts'
import { isRecord } from '../../schema/json-schema.ts'

/**
 * The named fields of a value, in their places. A path goes through lists: `orders.lines.sku` keeps the `sku` of every line of every order.
 * @example
 * console.log(JSON.stringify(projection({ orders: [{ id: 1, note: 'x' }], page: 1 }, ['orders.id']))) // {"orders":[{"id":1}]}
 */
export function projection(value: unknown, fields: readonly string[]): unknown {
  const tree = new Map<string, Branch>()
  for (const field of fields) {
    let level = tree
    const names = field
      .replaceAll('[]', '')
      .split('.')
      .filter((name) => name !== '')
    names.forEach((name, at) => {
      const branch = level.get(name) ?? { below: new Map<string, Branch>(), isWhole: false }
      level.set(name, branch)
      if (at === names.length - 1) branch.isWhole = true
      level = branch.below
    })
  }
  return kept(value, tree)
}

interface Branch {
  readonly below: Map<string, Branch>
  isWhole: boolean
}

function kept(value: unknown, tree: ReadonlyMap<string, Branch>): unknown {
  if (Array.isArray(value)) return value.map((each) => kept(each, tree))
  if (!isRecord(value) || isNumber(value)) return value
  const chosen = Object.create(null) as Record<string, unknown>
  for (const [name, { below, isWhole }] of tree)
    if (Object.hasOwn(value, name)) chosen[name] = isWhole ? value[name] : kept(value[name], below)
  return chosen
}
