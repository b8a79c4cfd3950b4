import type { ServerContext } from '@modelcontextprotocol/server'
import { digest, hashOf } from '../../tool/journal/hash.ts'
import { callerKey, mcpCallerOf } from './mcp-caller.ts'

/** Where a client of ours names the key of a call: the same when it repeats the call, after a crash or a lost answer. */
export const KEY_META = 'toolwright/idempotency-key'

/**
 * The run of a call. A server names it beside a receipt, where the run is that of the call itself and not of a tool that it called. A client of ours
 * names it in a call that goes on with this run: such a call begins nothing, whatever has become of the run.
 */
export const RUN_META = 'toolwright/run'

const LONGEST_KEY = 256

/** The key that the client gave its call; undefined without a word of it. */
export function givenKey({ mcpReq }: ServerContext): string | undefined {
  const key = mcpReq._meta?.[KEY_META]
  return typeof key !== 'string' || key === '' || key.length > LONGEST_KEY ? undefined : key
}

/** The run that the call goes on with; undefined where it names none. */
export function namedRun({ mcpReq }: ServerContext): string | undefined {
  const run = mcpReq._meta?.[RUN_META]
  return typeof run === 'string' ? run : undefined
}

/** The key of a call whose client names one. It holds for the same caller, tool and arguments only; undefined without a word of the client. */
export function callKey(context: ServerContext, tool: string, given: unknown): string | undefined {
  const key = givenKey(context)
  if (key === undefined) return undefined
  return digest(JSON.stringify([callerKey(mcpCallerOf(context)), tool, key, hashOf(given)]))
}
