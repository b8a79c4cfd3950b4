import { createHash, randomUUID } from 'node:crypto'
import { open, readFile, rename, rm } from 'node:fs/promises'
import { isRecord } from '../schema/json-schema.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Weights } from './learned-weights.ts'
import type { Trace } from './traces.ts'

/** What `load` has found. */
export interface LoadedTraces {
  /** How many were read. */
  readonly traces: number
  /** Why the file was left out, and what to do. */
  readonly problem: string | undefined
}

const FORMAT = 'toolwright traces'
/** Raised when the meaning of a field changes: a file of another version is not read. */
const VERSION = 1

/** What a catalog has learned. */
export interface Learned {
  readonly traces: readonly Trace[]
  /** Undefined where none were fitted, or where they are of another version: they are fitted anew. */
  readonly weights: Weights | undefined
}

/** The file is replaced at once: whoever reads it finds the old one or the new one, also after a crash. */
export async function writeTraceFile(path: string, { traces, weights }: Learned): Promise<void> {
  const body = JSON.stringify({ traces, weights })
  const head = JSON.stringify({ format: FORMAT, version: VERSION, sha256: sha256(body) })
  const beside = `${path}.${randomUUID()}.tmp`
  try {
    // Requests of people are in it.
    const file = await open(beside, 'wx', 0o600)
    try {
      await file.writeFile(`${head}\n${body}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(beside, path)
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  }
}

/** A text says what is wrong with the file; undefined if there is none. */
export async function readTraceFile(path: string): Promise<Learned | string | undefined> {
  let text: string
  try {
    text = await readFile(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  const [first = '', body = ''] = text.split('\n', 2)
  const head = parsed(first)
  if (!isRecord(head) || head['format'] !== FORMAT) return 'It is not a file of traces.'
  if (head['version'] !== VERSION) return `It has version ${String(head['version'])}, and this package reads version ${VERSION}.`
  if (head['sha256'] !== sha256(body)) return 'It was damaged: its checksum is wrong.'
  const learned = parsed(body)
  const traces = isRecord(learned) ? learned['traces'] : undefined
  if (!isRecord(learned) || !Array.isArray(traces) || !traces.every(isTrace)) return 'It has traces that are none.'
  return { traces, weights: isWeights(learned['weights']) ? learned['weights'] : undefined }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The traces that a program gives, with a time; all of them or none. */
export function checkedTraces(given: Iterable<Omit<Trace, 'at'> & { readonly at?: number }>): readonly Trace[] {
  const traces = [...given].map((each) => ({ at: 0, ...each }))
  if (traces.every(isTrace)) return traces
  throw new ConfigurationError('invalid_option', 'A trace needs a text, the name of a tool, and served: true or false.')
}

/** Whether a value from outside is a trace. */
export function isTrace(value: unknown): value is Trace {
  if (!isRecord(value)) return false
  const { text, tool, served, principal, at } = value
  const isNamed = principal === undefined || typeof principal === 'string'
  return typeof text === 'string' && typeof tool === 'string' && typeof served === 'boolean' && isNamed && Number.isFinite(at)
}

function isWeights(value: unknown): value is Weights {
  const isList = (list: unknown): boolean => Array.isArray(list) && list.length === 9 && list.every((each) => Number.isFinite(each))
  return isRecord(value) && isList(value['known']) && isList(value['unknown'])
}
