import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A tool of a catalog of the selection data. */
export interface ListedTool {
  readonly id: string
  readonly name: string
  readonly description?: string
  readonly server?: string
  readonly params?: readonly string[]
  readonly inputSchema?: { readonly properties?: Readonly<Record<string, { readonly description?: string }>> }
}

/** A request and the tools that serve it: one of each list. */
export interface LabelledRequest {
  readonly q: string
  readonly gold: readonly (readonly string[])[]
  readonly g: string
}

export interface LabelledSet {
  readonly name: string
  readonly tools: readonly ListedTool[]
  readonly queries: readonly LabelledRequest[]
}

export const LABELLED_SETS = ['metatool', 'bfcl', 'seal', 'stb', 'livemcp'] as const

export function labelledSet(folder: string, name: (typeof LABELLED_SETS)[number]): LabelledSet {
  const { tools, catalog, queries } = read(folder, `dev-${name}.json`)
  return { name, queries: queries ?? [], tools: tools ?? read(folder, catalog ?? '').tools ?? [] }
}

/** Tools without requests, as company for the others. */
export function unlabelledTools(folder: string): readonly ListedTool[] {
  return read(folder, 'catalog-toucan-mcp.json').tools ?? []
}

export function parameterText({ params, inputSchema }: ListedTool): string {
  if (params !== undefined) return params.join(' ')
  return Object.entries(inputSchema?.properties ?? {})
    .map(([name, { description = '' }]) => `${name} ${description}`)
    .join(' ')
}

interface SelectionFile {
  readonly tools?: readonly ListedTool[]
  readonly queries?: readonly LabelledRequest[]
  readonly catalog?: string
}

function read(folder: string, file: string): SelectionFile {
  return JSON.parse(readFileSync(join(folder, file), 'utf8')) as SelectionFile
}
