import type { McpLibrary } from './load-mcp.ts'

/** A page of a list, and how to ask for the next one. */
export interface ListPage<T> {
  readonly items: readonly T[]
  readonly nextCursor?: string
}

export interface PageRequest<T> {
  readonly cursor: string | undefined
  readonly size: number
  /** The name of an item, by which the next page is found, though the list may have changed. */
  readonly nameOf: (item: T) => string
}

/** The page after the cursor. A cursor that was not given out, or whose item has gone, is refused: the client begins again. */
export function listPage<T>({ ProtocolError, ProtocolErrorCode }: McpLibrary, all: readonly T[], request: PageRequest<T>): ListPage<T> {
  const { cursor, size, nameOf } = request
  const start = cursor === undefined ? 0 : all.findIndex((each) => cursorOf(nameOf(each)) === cursor) + 1
  if (start === 0 && cursor !== undefined)
    throw new ProtocolError(
      ProtocolErrorCode.InvalidParams,
      'The cursor is not valid, or the list has changed. Ask for the first page again.',
    )
  const items = all.slice(start, start + size)
  const last = items.at(-1)
  return last === undefined || start + size >= all.length ? { items } : { items, nextCursor: cursorOf(nameOf(last)) }
}

function cursorOf(name: string): string {
  return Buffer.from(`after ${name}`).toString('base64url')
}
