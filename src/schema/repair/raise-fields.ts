import { isRecord } from '../json-schema.ts'
import { formsOf } from './field-forms.ts'
import { keyIndexOf } from './key-index.ts'
import { nameForm } from './name-words.ts'
import type { RepairChange } from './reading.ts'
import type { Misfit } from './walk.ts'

/**
 * Moves fields out of a group that does not know them where the object around it has a field of that name which is not given: the `limit` of
 * `{ filter: { status, limit } }`. Changes the fields.
 */
export function raiseFields(fields: Map<string, unknown>, { node, place, walk }: Misfit): readonly RepairChange[] {
  const changes: RepairChange[] = []
  const own = formsOf(node)
  for (const [name, group] of [...fields]) {
    const schema = Object.hasOwn(node.properties, name) ? node.properties[name] : undefined
    if (!isRecord(group) || schema === undefined) continue
    const inside = walk.read(schema)
    if (inside.others !== undefined || inside.options !== undefined || Object.keys(inside.properties).length === 0) continue
    for (const [key, value] of Object.entries(group)) {
      if (Object.hasOwn(inside.properties, key) || !own.has(nameForm(key)) || keyIndexOf(inside).find(key) !== undefined) continue
      if (nameForm(key) === nameForm(name) || [...fields.keys()].some((each) => nameForm(each) === nameForm(key))) continue
      const { [key]: _raised, ...rest } = fields.get(name) as Readonly<Record<string, unknown>>
      fields.set(name, rest)
      fields.set(key, value)
      const path = place.path === '' ? name : `${place.path}.${name}`
      changes.push({ path: `${path}.${key}`, from: value, to: undefined, rule: 'field raised', cost: 3 })
    }
  }
  return changes
}
