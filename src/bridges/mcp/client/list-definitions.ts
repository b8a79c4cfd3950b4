import type { Client } from '@modelcontextprotocol/client'
import { isRecord } from '../../../schema/json-schema.ts'
import type { StandardSchema } from '../../../schema/standard-schema.ts'

/** The tools of a server, or the first of them. What it says of each is not checked yet. */
export interface ListedTools {
  readonly tools: readonly unknown[]
  /** Why the list was not read to its end. */
  readonly cut?: string | undefined
}

export interface ListLimits {
  readonly maxTools: number
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

const MOST_PAGES = 100
/** Of all pages together. */
const MOST_CHARACTERS = 32 * 1024 * 1024

/** Reads the pages of a list, as many as are reasonable. */
export async function listDefinitions(client: Client, { maxTools, signal, timeoutMs }: ListLimits): Promise<ListedTools> {
  if (client.getServerCapabilities()?.tools === undefined) return { tools: [] }
  const tools: unknown[] = []
  const cursors = new Set<string>()
  let characters = 0
  let cursor: string | undefined
  for (let page = 1; ; page++) {
    const request = { method: 'tools/list' as const, params: cursor === undefined ? {} : { cursor } }
    const { tools: listed, nextCursor } = await client.request(request, PAGE, { signal, timeout: timeoutMs })
    const room = maxTools - tools.length
    tools.push(...listed.slice(0, room))
    if (listed.length > room) return { tools, cut: `it has more than ${maxTools} tools` }
    if (nextCursor === undefined) return { tools }
    if (cursors.has(nextCursor)) return { tools, cut: 'its list begins again and again' }
    cursors.add(nextCursor)
    characters += charactersIn(listed) + nextCursor.length
    if (page === MOST_PAGES || characters > MOST_CHARACTERS) return { tools, cut: `its list has no end after ${page} pages` }
    cursor = nextCursor
  }
}

interface Page {
  readonly tools: readonly unknown[]
  readonly nextCursor?: string | undefined
}

/** A page of a list. The SDK refuses the whole page for one tool that is described wrongly, and with it all tools of the server. */
const PAGE: StandardSchema<unknown, Page> = {
  '~standard': {
    version: 1,
    vendor: 'toolwright',
    validate: (page) => {
      if (!isRecord(page) || !Array.isArray(page['tools'])) return { issues: [{ message: "'tools' must be a list" }] }
      const { tools, nextCursor } = page
      if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== 'string')
        return { issues: [{ message: "'nextCursor' must be a text" }] }
      return { value: { tools: tools as readonly unknown[], nextCursor: nextCursor ?? undefined } }
    },
  },
}

/** About how much a page holds: exact enough for a limit, and without a copy. */
function charactersIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length + 2
  if (depth > 200) return MOST_CHARACTERS
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + charactersIn(each, depth + 1), 2)
  if (!isRecord(value)) return 4
  return Object.entries(value).reduce((sum, [key, each]) => sum + key.length + 3 + charactersIn(each, depth + 1), 2)
}
