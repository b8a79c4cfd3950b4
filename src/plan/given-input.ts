import { narrowedSchema } from '../schema/combine-schemas.ts'
import type { Excess } from '../schema/excess.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import { itemSchema } from '../schema/nest-schema.ts'
import { afterDoor, afterValidation } from '../schema/validated-schema.ts'
import type { PlanAdapter } from '../tool/plan-node.ts'
import { coreOf, type Place, type PlacedPart } from './survey.ts'

interface Source {
  /** The giver, in words. */
  readonly from: string
  /** A string step gets it as text, and a text is read as JSON. */
  readonly asText: boolean
  /** Checks beyond the schema that the value has passed; computed only where they matter. */
  readonly promised: () => readonly Excess[]
}

const NOTHING = (): readonly Excess[] => []

/** The schema of the value that a part gets, or why it is unknown and what would help. */
export type Given =
  | (Source & { readonly schema: JsonSchema })
  | (Source & { readonly schema: undefined; readonly unknown: string; readonly hint: string })

/** The value that the part at this place gets; undefined where only the run decides it. */
export function givenInput(whole: Place, index: number): Given | undefined {
  const { part } = whole.parts[index] as PlacedPart
  if (part.adapter !== undefined) return givenByAdapter(part.adapter)
  if (part.takes === 'previous') return givenByPart(whole.parts[index - 1])
  if (part.takes === 'input') return givenByWhole(whole, part.known)
  return part.takes === 'item' ? givenItem(whole) : undefined
}

/** The input of the whole; `known` is a schema that it also satisfies. */
export function givenByWhole(whole: Place, known?: JsonSchema): Given {
  const schema = known === undefined ? inputOf(whole) : narrowedSchema(inputOf(whole), known)
  return { from: `'${whole.tool.name}'`, asText: false, schema, promised: () => promisedBy(whole) }
}

/** The value that a further turn of the part gets; it is not read as a text. Undefined where there is no further turn. */
export function givenAgain(whole: Place, index: number): Given | undefined {
  const each = whole.parts[index] as PlacedPart
  const { again } = each.part
  if (again === undefined) return undefined
  const given = again.adapter === undefined ? givenByPart(each) : givenByAdapter(again.adapter)
  return given === undefined ? undefined : { ...given, asText: false, from: again.adapter === undefined ? 'the turn before' : given.from }
}

const NO_SCHEMA_POSSIBLE =
  'This function cannot have a schema: its values are checked when the tool is called. A tool with an outputSchema in its place, as in pipe(prepare, tool), is checked before.'

function givenByAdapter(adapter: PlanAdapter): Given {
  const { name, schema } = adapter
  const source: Source = { from: `the adapter ${name}`, asText: true, promised: NOTHING }
  if (schema !== undefined) return { ...source, schema }
  const hint = 'schema' in adapter ? 'Give the adapter an outputSchema.' : NO_SCHEMA_POSSIBLE
  return { ...source, schema, unknown: `${source.from} is a function without a schema`, hint }
}

/** The output of a layer is that of the tool inside. */
export function givenByPart(before: PlacedPart | undefined): Given | undefined {
  if (before?.place === undefined) return undefined
  const { output, describesOutput = output } = coreOf(before.place).behaviour
  const source: Source = { from: `'${before.part.label}'`, asText: true, promised: () => describesOutput?.promised ?? [] }
  if (describesOutput !== undefined) return { ...source, schema: afterValidation(describesOutput.output) }
  return { ...source, schema: undefined, unknown: `${source.from} has no output schema`, hint: `Give ${source.from} an outputSchema.` }
}

/** A tool that validates its input passes the parsed value to its parts. */
function inputOf({ behaviour: { input, forwardsInput } }: Place): JsonSchema {
  return forwardsInput ? input.schema : afterDoor(input.parsed)
}

/** A whole that passes its input unchanged requires it from its callers. */
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
