import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { LABELLED_SETS, type LabelledRequest, labelledSet, type ListedTool, unlabelledTools } from '../../scripts/select/selection-data.ts'
import { WordVectors } from '../../src/select/word-vectors.ts'
import type { AgentTool } from '../../src/tool/agent-tool.ts'
import { tool } from '../../src/tool/tool.ts'

/** The folder of the selection data, which is not part of the project. */
export function dataFolder(): string {
  const folder = resolve(flag('data') ?? new URL('../../../shared/data/selection', import.meta.url).pathname)
  if (!existsSync(folder))
    throw new Error(`The selection data is not in '${folder}'. It is not part of the project: name its folder by --data.`)
  return folder
}

/** Vectors of `--vectors`, a file of `npm run train-word-vectors`, in place of those of the package. Neither has seen a request that is measured. */
export async function benchVectors(): Promise<WordVectors | undefined> {
  const file = flag('vectors')
  if (file === undefined) return undefined
  const { WORDS, VECTORS } = (await import(resolve(file))) as { readonly WORDS: string; readonly VECTORS: string }
  const bytes = Buffer.from(VECTORS, 'base64')
  return new WordVectors(WORDS.split(' '), new Int8Array(bytes.buffer, bytes.byteOffset, bytes.length))
}

/**
 * Constants are chosen on one half of the tools and of the data sets, by `--part tune`, and reported on the other: no figure is of requests
 * that a constant was chosen by. All tools are in every catalog.
 */
export function measuredPart(): Part {
  return flag('part') === 'tune' ? 'tune' : 'report'
}

export type Part = 'tune' | 'report'

/** The half that a tool belongs to. The thirds that are held out are cut by the lowest digits of the same hash. */
export function partOf(id: string): Part {
  return (hashOf(id) >>> 16) % 2 === 0 ? 'tune' : 'report'
}

function flag(name: 'data' | 'vectors' | 'part'): string | undefined {
  const options = { data: { type: 'string' }, vectors: { type: 'string' }, part: { type: 'string' } } as const
  const given = parseArgs({ options, strict: false }).values[name]
  return typeof given === 'string' ? given : undefined
}

/** A tool of the data, and the tool that a catalog gets. */
export interface BenchTool {
  readonly listed: ListedTool
  readonly tool: AgentTool
}

/** Tools of the same name get a number behind it. */
export function benchTools(listed: readonly ListedTool[]): readonly BenchTool[] {
  const taken = new Set<string>()
  return listed.map((each) => {
    const plain = each.name.replaceAll(/[^A-Za-z0-9_]+/g, '_').slice(0, 58) || 'tool'
    let name = plain
    for (let number = 2; taken.has(name); number++) name = `${plain}_${number}`
    taken.add(name)
    return { listed: each, tool: benchTool(name, each) }
  })
}

function benchTool(name: string, { description = '', params, inputSchema }: ListedTool): AgentTool {
  const properties: Readonly<Record<string, { readonly description?: string }>> =
    inputSchema?.properties ?? Object.fromEntries((params ?? []).map((each) => [each, {}]))
  const told = Object.entries(properties).map(([each, schema]) => [each, { type: 'string', description: schema.description ?? '' }])
  return tool({
    name,
    description: description || name,
    effect: 'read',
    inputSchema: { type: 'object', properties: Object.fromEntries(told) } as never,
    execute: () => 'done',
  }) as AgentTool
}

/** The tools of MetaTool, and as many of the other sets as make 10,000. */
export function manyTools(folder: string): readonly ListedTool[] {
  const others = LABELLED_SETS.filter((name) => name !== 'metatool').flatMap((name) => labelledSet(folder, name).tools)
  return [...labelledSet(folder, 'metatool').tools, ...unlabelledTools(folder), ...others].slice(0, 10_000)
}

/** The requests of a set, in an order that says nothing. */
export function shuffled(requests: readonly LabelledRequest[]): readonly LabelledRequest[] {
  return requests
    .map((request, at) => ({ request, key: hashOf(`${request.q}${at}`) }))
    .toSorted((a, b) => a.key - b.key)
    .map(({ request }) => request)
}

export function hashOf(text: string): number {
  let hash = 2_166_136_261
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 16_777_619)
  return hash >>> 0
}
