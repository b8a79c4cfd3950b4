import type { AgentTool } from '../../tool/agent-tool.ts'
import { jsonSchema } from '../../tool/contract.ts'
import { failure } from '../../tool/result/returned.ts'
import { tool } from '../../tool/tool.ts'
import type { CallerOfTool } from '../read/read-output.ts'
import type { OutputOwner } from '../stored-outputs.ts'
import type { ContextMemory, MemoryLayer, Remembered } from './memory.ts'

/** The input of the tool that writes to a memory. */
export interface RememberInput {
  readonly text: string
  readonly layer?: MemoryLayer | undefined
}

/** The input of the tool that searches a memory. */
export interface RecallInput {
  readonly query: string
  readonly limit?: number | undefined
}

/** One memory as a model reads it. */
export interface RecalledText {
  readonly text: string
  readonly layer: MemoryLayer
  /** When it was written, in ISO form. */
  readonly at: string
  /** The tool whose output it was, if it was one. */
  readonly from?: string | undefined
}

const MOST_RECALLED = 20

/** The tools `remember` and `recall`. */
export function memoryTools(
  memory: ContextMemory,
  ownerOf: (caller: CallerOfTool) => OutputOwner,
): readonly [AgentTool<RememberInput, Remembered>, AgentTool<RecallInput, readonly RecalledText[]>] {
  const remember = tool({
    name: 'remember',
    description:
      'Keeps a fact for later. layer: working (this task), session (this conversation), episodic (all conversations with this user).',
    inputSchema: jsonSchema<RememberInput>({
      type: 'object',
      properties: {
        text: { type: 'string', minLength: 1, maxLength: 4000 },
        layer: { type: 'string', enum: ['working', 'session', 'episodic'], default: 'session' },
      },
      required: ['text'],
      additionalProperties: false,
    }),
    effect: 'write',
    idempotent: true,
    execute: ({ text, layer = 'session' }, caller) => memory.remember(text, layer, ownerOf(caller)),
  })
  const recall = tool({
    name: 'recall',
    description: 'Finds what was remembered, by words.',
    inputSchema: jsonSchema<RecallInput>({
      type: 'object',
      properties: {
        query: { type: 'string', minLength: 1, maxLength: 1000 },
        limit: { type: 'integer', minimum: 1, maximum: MOST_RECALLED, default: 5 },
      },
      required: ['query'],
      additionalProperties: false,
    }),
    effect: 'read',
    idempotent: true,
    async execute({ query, limit = 5 }, caller) {
      const found = await memory.recall(query, ownerOf(caller), Math.min(limit, MOST_RECALLED))
      if (found.length === 0) return failure(`Nothing is remembered about '${query.slice(0, 80)}'.`, { code: 'not_found' })
      return found.map(({ text, layer, at, provenance }): RecalledText => ({
        text,
        layer,
        at: new Date(at).toISOString(),
        ...(provenance === undefined ? {} : { from: provenance.tool }),
      }))
    },
  })
  return [remember, recall]
}
