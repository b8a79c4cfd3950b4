import type { AgentTool } from '../tool/agent-tool.ts'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { TextVectors } from './word-vectors.ts'
import { termsOf, wordsOf } from './words.ts'

/** How much a word counts by the place where it stands. */
const IN_NAME = 3
const IN_TITLE = 1.5
const IN_DESCRIPTION = 1
const IN_SERVER = 1
const IN_PARAMETER_NAME = 0.5
const IN_PARAMETER_TEXT = 0.25

/** So many words of these count in full; the words of a longer one share what so many would count: a list of all words says nothing. */
const FULL_WORDS = { name: 10, title: 10, place: 8 }
/** A word that a tool repeats counts at most this often in a field: filling a description with a word brings no more. */
const MAX_REPEATS = 3
/** Words of a field that count. */
const MAX_FIELD_WORDS = { description: 120, parameters: 80 }
const MAX_DEPTH = 4

/** The words of a tool, for the two ways to find it. */
export interface ToolText {
  /** Each term with its weight. */
  readonly terms: ReadonlyMap<string, number>
  /** All of it as one text. */
  readonly whole: string
  /** Where it comes from. */
  readonly server: string | undefined
}

/** What a tool says about itself: its name, its description, its parameters and where it comes from. Descriptions are data, nothing more. */
export function toolText(
  { name, title, description, tags, specification }: AgentTool,
  { server, partsOf }: { readonly server?: string | undefined; readonly partsOf?: TextVectors['partsOf'] },
): ToolText {
  const parameters = parameterTexts(specification.parameters)
  const place = [server ?? '', ...tags].join(' ')
  const terms = new Map<string, number>()
  const parts = wordsOf(name)
    .flatMap((word) => partsOf?.(word) ?? [])
    .join(' ')
  addShared(terms, termsOf(name), { weight: IN_NAME, most: FULL_WORDS.name })
  addShared(terms, termsOf(parts), { weight: IN_NAME, most: FULL_WORDS.name })
  addShared(terms, termsOf(title ?? ''), { weight: IN_TITLE, most: FULL_WORDS.title })
  addTerms(terms, termsOf(description).slice(0, MAX_FIELD_WORDS.description), IN_DESCRIPTION)
  addShared(terms, termsOf(place), { weight: IN_SERVER, most: FULL_WORDS.place })
  addTerms(terms, termsOf(parameters.names).slice(0, MAX_FIELD_WORDS.parameters), IN_PARAMETER_NAME)
  addTerms(terms, termsOf(parameters.texts).slice(0, MAX_FIELD_WORDS.parameters), IN_PARAMETER_TEXT)
  return { terms, server, whole: `${name} ${parts} ${title ?? ''} ${description} ${place} ${parameters.names}` }
}

function addTerms(terms: Map<string, number>, found: readonly string[], weight: number): void {
  const repeats = new Map<string, number>()
  for (const term of found) {
    const times = (repeats.get(term) ?? 0) + 1
    repeats.set(term, times)
    if (times <= MAX_REPEATS) terms.set(term, (terms.get(term) ?? 0) + weight)
  }
}

function addShared(terms: Map<string, number>, found: readonly string[], { weight, most }: { weight: number; most: number }): void {
  addTerms(terms, found, weight * Math.min(1, most / new Set(found).size))
}

interface ParameterTexts {
  readonly names: string
  readonly texts: string
}

function parameterTexts(schema: JsonSchema): ParameterTexts {
  const names: string[] = []
  const texts: string[] = []
  collect(schema, { names, texts }, 0)
  return { names: names.join(' '), texts: texts.join(' ') }
}

interface Collected {
  readonly names: string[]
  readonly texts: string[]
}

function collect(schema: unknown, into: Collected, depth: number): void {
  if (typeof schema !== 'object' || schema === null || depth > MAX_DEPTH || into.names.length > MAX_FIELD_WORDS.parameters) return
  const { properties, items, description } = schema as {
    readonly properties?: unknown
    readonly items?: unknown
    readonly description?: unknown
  }
  if (depth > 0 && typeof description === 'string') into.texts.push(description)
  collect(items, into, depth + 1)
  if (typeof properties !== 'object' || properties === null) return
  for (const [name, each] of Object.entries(properties)) {
    into.names.push(name)
    collect(each, into, depth + 1)
  }
}
