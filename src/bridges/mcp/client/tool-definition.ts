import { isRecord, type JsonSchema } from '../../../schema/json-schema.ts'
import { isEndless, measure } from '../../../schema/measure.ts'
import { digest, hashOf } from '../../../tool/journal/hash.ts'
import { LONGEST_TITLE } from '../../../tool/identity.ts'
import { headerProblem } from './header-declarations.ts'
import { readableSchema, readableText } from './readable-text.ts'

/** A tool of a server as it is taken over: checked, bounded, and readable. */
export interface McpToolDefinition {
  /** On the server. */
  readonly name: string
  readonly title: string | undefined
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly outputSchema: JsonSchema | undefined
  readonly annotations: Readonly<Record<string, unknown>>
  /** The same as long as the server says the same of the tool, to the last hidden character. */
  readonly hash: string
}

/** A definition, or the reason why there is none; with the name, as far as there is one. */
export type ReadDefinition = { readonly name: string } & ({ readonly definition: McpToolDefinition } | { readonly problem: string })

const LONGEST_NAME = 256
const LONGEST_DESCRIPTION = 8000
const LONGEST_DEFINITION = 256 * 1024

/** Reads what a server says of a tool. Nothing of it is trusted. */
export function readDefinition(given: unknown): ReadDefinition {
  if (!isRecord(given) || typeof given['name'] !== 'string') return { name: '', problem: 'it has no name' }
  const { name } = given
  const read = definitionOf(name, given)
  return typeof read === 'string' ? { name, problem: read } : { name, definition: read }
}

/** All that is read of what a server says of a tool, and that its hash stands for. */
export function toldOf({
  name,
  title,
  description,
  inputSchema,
  outputSchema,
  annotations,
}: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { name, title, description, inputSchema, outputSchema, annotations }
}

function definitionOf(name: string, given: Readonly<Record<string, unknown>>): McpToolDefinition | string {
  const { title, description, inputSchema, outputSchema, annotations } = given
  if (name.trim() === '' || name.length > LONGEST_NAME) return `its name is empty or longer than ${LONGEST_NAME} characters`
  const told = toldOf(given)
  if (isEndless(measure(told))) return 'its description is nested too deeply or too large'
  if (JSON.stringify(told).length > LONGEST_DEFINITION) return `its description and schemas are longer than ${LONGEST_DEFINITION / 1024} KB`
  if (!isSchemaOfObjects(inputSchema)) return "its inputSchema is not a schema with type 'object'"
  if (outputSchema !== undefined && !isRecord(outputSchema)) return 'its outputSchema is not a schema'
  const header = headerProblem(inputSchema)
  if (header !== undefined) return header
  return {
    name,
    title: isText(title) ? readableText(title.replaceAll(/\s+/g, ' '), LONGEST_TITLE - 30).trim() : undefined,
    description: isText(description) ? readableText(description, LONGEST_DESCRIPTION) : `The tool ${readableText(name, LONGEST_NAME)}.`,
    inputSchema: readableSchema(inputSchema),
    outputSchema: outputSchema === undefined ? undefined : readableSchema(outputSchema),
    annotations: isRecord(annotations) ? annotations : {},
    hash: hashOf(JSON.parse(JSON.stringify(told))),
  }
}

function isSchemaOfObjects(value: unknown): value is JsonSchema {
  return isRecord(value) && value['type'] === 'object'
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

const LONGEST_OWN_NAME = 64
const SUFFIX = 6

/**
 * Names that every model can write, one for each name on the server. They depend on that name and the others only, never on an order. Names
 * that cannot be written so, or that two tools would share, get a suffix made of the original.
 */
export function modelNames(names: readonly string[], prefix: string): ReadonlyMap<string, string> {
  const before = prefix === '' ? '' : `${writable(prefix).replace(/_+$/, '')}_`
  const plain = names.map((name) => [name, `${before}${writable(name)}`] as const)
  const counts = new Map<string, number>()
  for (const [, own] of plain) counts.set(own, (counts.get(own) ?? 0) + 1)
  return new Map(
    plain.map(([name, own]) => {
      const isExact = own === `${before}${name}`
      const isClear = own.length <= LONGEST_OWN_NAME && (isExact || counts.get(own) === 1)
      return [name, isClear ? own : `${own.slice(0, LONGEST_OWN_NAME - SUFFIX - 1)}_${suffixOf(name)}`]
    }),
  )
}

function writable(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_')
}

function suffixOf(name: string): string {
  return digest(name)
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, SUFFIX)
}
