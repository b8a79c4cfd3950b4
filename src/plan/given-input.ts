import { narrowedSchema } from '../schema/combine-schemas.ts'
import type { Excess } from '../schema/excess.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { itemSchema } from '../schema/nest-schema.ts'
import { afterDoor, afterValidation } from '../schema/validated-schema.ts'
import type { PlanAdapter } from '../tool/plan-node.ts'
import { coreOf, type Place, type PlacedPart } from './survey.ts'

interface Source {
  /** Who gives it, in words. */
  readonly from: string
  /** A string step gets it as text, and a text is read as JSON. */
  readonly asText: boolean
  /** What is sure of it beyond the schema; read only where it decides. */
  readonly promised: () => readonly Excess[]
}

const NOTHING = (): readonly Excess[] => []

/** What a part is given, by schema, or why nobody can tell and what would help. */
export type Given =
  | (Source & { readonly schema: JsonSchema })
  | (Source & { readonly schema: undefined; readonly unknown: string; readonly hint: string })

/** What the part at this place in the plan is given; undefined where the plan leaves it to the run. */
export function givenInput(whole: Place, index: number): Given | undefined {
  const { part } = whole.parts[index] as PlacedPart
  if (part.adapter !== undefined) return givenByAdapter(part.adapter)
  if (part.takes === 'previous') return givenByPart(whole.parts[index - 1])
  if (part.takes === 'input') {
    const schema = part.known === undefined ? inputOf(whole) : narrowedSchema(inputOf(whole), part.known)
    return { from: `'${whole.tool.name}'`, asText: false, schema, promised: () => promisedBy(whole) }
  }
  return part.takes === 'item' ? givenItem(whole) : undefined
}

/** What a further turn of the part is given: a value, which is not read as a text. Undefined where there is none. */
export function givenAgain(whole: Place, index: number): Given | undefined {
  const each = whole.parts[index] as PlacedPart
  const { again } = each.part
  if (again === undefined) return undefined
  const given = again.adapter === undefined ? givenByPart(each) : givenByAdapter(again.adapter)
  return given === undefined ? undefined : { ...given, asText: false, from: again.adapter === undefined ? 'the turn before' : given.from }
}

function givenByAdapter({ name, schema }: PlanAdapter): Given {
  const source: Source = { from: `the adapter ${name}`, asText: true, promised: NOTHING }
  if (schema !== undefined) return { ...source, schema }
  return { ...source, schema, unknown: `${source.from} is a function without a schema`, hint: 'Give the adapter an outputSchema.' }
}

/** What comes out of a layer is what the tool inside gives. */
function givenByPart(before: PlacedPart | undefined): Given | undefined {
  if (before?.place === undefined) return undefined
  const { output, describesOutput = output } = coreOf(before.place).behaviour
  const source: Source = { from: `'${before.part.label}'`, asText: true, promised: () => describesOutput?.promised ?? [] }
  if (describesOutput !== undefined) return { ...source, schema: afterValidation(describesOutput.output) }
  return { ...source, schema: undefined, unknown: `${source.from} has no output schema`, hint: `Give ${source.from} an outputSchema.` }
}

/** A tool that validates its input hands on what came of it. */
function inputOf({ behaviour: { input, forwardsInput } }: Place): JsonSchema {
  return forwardsInput ? input.schema : afterDoor(input.parsed)
}

/** What the whole hands on as it came, it asks of its callers. */
function promisedBy({ behaviour: { input, forwardsInput } }: Place): readonly Excess[] {
  return (forwardsInput ? input.excess : input.promised) ?? []
}

function givenItem(whole: Place): Given {
  const promised = (): readonly Excess[] =>
    promisedBy(whole)
      .filter(({ path }) => path.startsWith('[]'))
      .map((each) => ({ ...each, path: each.path.replace(/^\[\]\.?/, '') }))
  const source: Source = { from: `the list for '${whole.tool.name}'`, asText: false, promised }
  const schema = itemSchema(inputOf(whole))
  if (schema !== undefined) return { ...source, schema }
  return { ...source, schema, unknown: `${source.from} has no schema of its items`, hint: 'Give the list a schema with items.' }
}
