import type { ToolSet } from 'ai'
import { isPlainRecord } from '../../schema/json-schema.ts'
import { isTool } from '../../tool/agent-tool.ts'
import type { PeerTools } from '../../tool/resolve/resolve.ts'
import { fromAiSdk, type FromAiSdkOptions } from './from-ai-sdk.ts'

/**
 * Lets tool sets of the AI SDK stand in a list for `resolve` or `createRuntime`, beside other tools.
 * @example
 * const weather = { inputSchema: z.object({ city: z.string() }), execute: ({ city }: { city: string }) => `Mild in ${city}.` }
 * const runtime = createRuntime({ tools: [greet, { weather }], peers: [aiSdkPeer({ metadata: { weather: { effect: 'read' } } })] })
 * console.log((await runtime.specifications()).map(({ name }) => name)) // [ 'greet', 'weather' ]
 */
export function aiSdkPeer(options: FromAiSdkOptions = {}): PeerTools {
  return {
    name: 'AI SDK',
    recognises: (value) => isPlainRecord(value) && isToolSet(value),
    adopt: (value) => Object.values(fromAiSdk(value as ToolSet, options)),
  }
}

/** A tool set has no mark of its own: it is a record of what has an input schema. */
function isToolSet(value: Readonly<Record<string, unknown>>): boolean {
  const entries = Object.values(value)
  return entries.length > 0 && entries.every((each) => isTool(each) || (isPlainRecord(each) && 'inputSchema' in each))
}
