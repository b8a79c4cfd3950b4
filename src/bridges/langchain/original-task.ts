import { createHash } from 'node:crypto'
import type { ToolRunnableConfig } from '@langchain/core/tools'
import { isRecord } from '../../schema/json-schema.ts'

/** What is read of a checkpoint. */
interface Checkpointed {
  readonly metadata?: { readonly source?: string; readonly step?: number }
  readonly parentConfig?: { readonly configurable?: { readonly checkpoint_id?: string } }
}

type Read = (checkpoint: unknown) => Promise<Checkpointed | undefined>

/**
 * The id of the task of which this one is a repetition, where somebody went back to an earlier checkpoint: LangGraph copies that checkpoint, and a
 * task of the copy has another id. Any other task is its own. Undefined where it is a repetition, and it cannot be known of which task.
 */
export async function originalTask(id: string, { configurable = {}, metadata = {} }: ToolRunnableConfig): Promise<string | undefined> {
  const { thread_id: thread, checkpoint_map: map, __pregel_checkpointer: checkpointer, __pregel_replay_state: replay } = configurable
  const current: unknown = isRecord(map) ? map[''] : undefined
  const read: Read = async (checkpoint) =>
    (checkpointer as { readonly getTuple: Read }).getTuple({
      configurable: { thread_id: thread, checkpoint_ns: '', checkpoint_id: checkpoint },
    })
  const { langgraph_step: step } = metadata
  if (typeof current !== 'string' || typeof step !== 'number') return id
  const from = await copiedFrom(current, { read, replay, step })
  if (from === undefined) return id
  const name = id.slice(0, id.lastIndexOf(':'))
  // The id of a task in a graph inside a task depends on that of the task around it.
  if (name.includes(':')) return undefined
  const idOf = (checkpoint: string, at: number, tail: readonly unknown[]): string =>
    `${name}:${uuidOf(JSON.stringify([name, String(at), metadata['langgraph_node'], ...tail]), checkpoint)}`
  // LangGraph makes ids so. Where it makes the id of this task in another way, nothing is known.
  const tail = tailsOf(metadata).find((each) => idOf(current, step, each) === id)
  return tail === undefined ? undefined : idOf(from, step - 1, tail)
}

interface Replaying {
  readonly read: Read
  readonly replay: unknown
  readonly step: number
}

/** The checkpoint of which the current one is a copy. */
async function copiedFrom(current: string, { read, replay, step }: Replaying): Promise<string | undefined> {
  const known = await read(current)
  if (known !== undefined) return known.metadata?.source === 'fork' ? known.parentConfig?.configurable?.checkpoint_id : undefined
  // It is not stored yet, so this invocation made it: as a copy only if it goes back, and only for its first step.
  const from = isRecord(replay) ? replay['checkpointId'] : undefined
  if (typeof from !== 'string') return undefined
  const { source, step: copied = 0 } = (await read(from))?.metadata ?? {}
  return source !== undefined && !NOT_COPIED.has(source) && copied + 2 === step ? from : undefined
}

/** Sources of checkpoints that LangGraph runs as they are, or before any task that can call a tool. */
const NOT_COPIED: ReadonlySet<string> = new Set(['input', 'update', 'fork'])

/** How the name of a task may end: by the channels that triggered it, or by its place among the tasks that were sent. */
function tailsOf({
  langgraph_triggers: triggers,
  langgraph_path: path,
}: Readonly<Record<string, unknown>>): readonly (readonly unknown[])[] {
  const [kind, first, second]: unknown[] = Array.isArray(path) ? path : []
  return [
    [kind, triggers],
    [kind, String(first)],
    [kind, first, second],
  ]
}

/** A UUID of version 5. */
function uuidOf(name: string, namespace: string): string {
  const bytes = createHash('sha1')
    .update(Buffer.from(namespace.replaceAll('-', ''), 'hex'))
    .update(name)
    .digest()
  bytes.writeUInt8((bytes.readUInt8(6) % 16) + 0x50, 6)
  bytes.writeUInt8((bytes.readUInt8(8) % 64) + 0x80, 8)
  return bytes.toString('hex', 0, 16).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}
