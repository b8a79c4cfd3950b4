import { isRecord } from '../json-schema.ts'
import { below } from './building.ts'
import { type Codec, described, NoEncoding } from './codec.ts'
import { takesNull } from './flat-schema.ts'
import { type Optional, optionalCodec } from './optional-codec.ts'
import type { Node } from './scalar-codecs.ts'
import { textCodec } from './text-codec.ts'

interface Slot {
  readonly name: string
  readonly codec: Optional
}

/** A list of which every place has its own schema, as an object: item_1, item_2, and `rest` for what may follow. */
export function tupleCodec(prefix: readonly unknown[], node: Node): Codec {
  const { schema, building, spot, telling } = node
  const { rules, report } = building
  if (spot.depth >= rules.limits.depth)
    return textCodec(schema, `nested deeper than ${rules.limits.depth} objects: sent as JSON text`, node)
  const least = Math.min(typeof schema['minItems'] === 'number' ? schema['minItems'] : 0, prefix.length)
  const inside = { ...spot, depth: spot.depth + 1 }
  const offered = schema['maxItems'] === undefined ? prefix : prefix.slice(0, Number(schema['maxItems']))
  const slots = offered.map((item, index): Slot => {
    const codec = building.build(item, below(inside, `[${index}]`, false))
    const takes = takesNull(item, building.root)
    return { name: `item_${index + 1}`, codec: optionalCodec(codec, { isRequired: index < least, takesNull: takes, building }) }
  })
  const { items } = schema
  const hasRest = items !== undefined && items !== false && offered.length === prefix.length
  if (items === undefined && schema['maxItems'] === undefined)
    report.narrowed.push({ path: spot.path, why: 'items after the listed ones are not offered' })
  const rest = hasRest ? building.build(items, below(inside, '[]', false)) : undefined
  for (const [keyword, isExact] of [
    ['minItems', Number(schema['minItems']) <= prefix.length],
    ['maxItems', rest === undefined],
  ] as const)
    if (schema[keyword] !== undefined && !isExact) telling.move(keyword, schema[keyword])
  for (const keyword of ['uniqueItems', 'contains', 'minContains', 'maxContains', 'unevaluatedItems'])
    if (schema[keyword] !== undefined && schema[keyword] !== false) telling.move(keyword, schema[keyword])
  if (offered.length > least) telling.move('order', 'without gaps')
  report.properties += slots.length + (rest === undefined ? 0 : 1)
  telling.say('A list, place by place.')
  return described(tupleOf(slots, rest, rules.closes), telling.text)
}

function tupleOf(slots: readonly Slot[], rest: Codec | undefined, closes: boolean): Codec {
  const properties = Object.fromEntries(slots.map(({ name, codec }) => [name, codec.schema]))
  const required = slots.filter(({ codec }) => codec.isGiven).map(({ name }) => name)
  const mustHave = [...required, ...(rest === undefined ? [] : ['rest'])]
  const known = new Map(slots.map((slot) => [slot.name, slot]))
  const fitsRest = (value: unknown): boolean => rest !== undefined && Array.isArray(value) && value.every(rest.fits)
  return {
    schema: {
      type: 'object',
      properties: { ...properties, ...(rest === undefined ? {} : { rest: { type: 'array', items: rest.schema } }) },
      required: mustHave,
      ...(closes ? { additionalProperties: false } : {}),
    },
    isSame: false,
    fits: (value) => {
      if (!isRecord(value) || !required.every((name) => Object.hasOwn(value, name))) return false
      if (rest !== undefined && !fitsRest(value['rest'])) return false
      return Object.entries(value).every(([name, each]) => known.get(name)?.codec.fits(each) ?? (name === 'rest' && fitsRest(each)))
    },
    decode: (value, trail) => {
      if (!isRecord(value)) return value
      // An object of another kind must not become a list that leaves out what is in it.
      const places = [...known.keys(), ...(rest === undefined ? [] : ['rest'])]
      const odd = Object.keys(value).find((name) => !places.includes(name))
      if (odd !== undefined) trail.into(odd).refuse(`is no place of this list, which has ${places.join(', ')}`)
      if (Object.keys(value).length === 0 && mustHave.length > 0) trail.refuse(`must have ${mustHave.join(', ')}`)
      const list: unknown[] = []
      let gap: string | undefined
      for (const [index, { name, codec }] of slots.entries()) {
        const found: Record<string, unknown> = {}
        const at = trail.step([name], [index])
        if (Object.hasOwn(value, name)) codec.decodeInto(found, 'item', value[name], at)
        if (!Object.hasOwn(found, 'item')) gap ??= name
        else if (gap !== undefined) at.refuse(`is given, but ${gap} before it is not`)
        else list.push(found['item'])
      }
      const { rest: given = [] } = value
      if (!Array.isArray(given)) return trail.into('rest').refuse('must be a list')
      const more = given as readonly unknown[]
      if (gap !== undefined && more.length > 0) trail.into('rest').refuse(`has items, but ${gap} before it is not given`)
      for (const [index, each] of more.entries()) list.push(rest?.decode(each, trail.step(['rest', index], [slots.length + index])))
      return list
    },
    encode: (value) => {
      if (!Array.isArray(value)) throw new NoEncoding('The value is no list.')
      const target: Record<string, unknown> = {}
      for (const [index, { name, codec }] of slots.entries())
        codec.encodeInto(target, name, index < value.length ? { value: value[index] as unknown } : undefined)
      const more = value.slice(slots.length)
      if (rest === undefined && more.length > 0) throw new NoEncoding('Items after the listed ones are not offered.')
      return rest === undefined ? target : { ...target, rest: more.map((each) => rest.encode(each)) }
    },
  }
}
