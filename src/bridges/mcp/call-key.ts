import type { ServerContext } from '@modelcontextprotocol/server'
import { digest, hashOf } from '../../tool/journal/hash.ts'
import { callerKey, mcpCallerOf } from './mcp-caller.ts'

/** Where a client of ours names the key of a call: the same when it repeats the call, after a crash or a lost answer. */
export const KEY_META = 'toolwright/idempotency-key'

const LONGEST_KEY = 256

/** The key that the client gave its call; undefined without a word of it. */
export function givenKey({ mcpReq }: ServerContext): string | undefined {
  const key = mcpReq._meta?.[KEY_META]
  return typeof key !== 'string' || key === '' || key.length > LONGEST_KEY ? undefined : key
}

/** The key of a call whose client names one. It holds for the same caller, tool and arguments only; undefined without a word of the client. */
export function callKey(context: ServerContext, tool: string, given: unknown): string | undefined {
  const key = givenKey(context)
  if (key === undefined) return undefined
  return digest(JSON.stringify([callerKey(mcpCallerOf(context)), tool, key, hashOf(given)]))
}
