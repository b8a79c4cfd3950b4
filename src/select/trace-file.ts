import { isRecord } from '../schema/json-schema.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { type FileKind, readCheckedFile, writeCheckedFile } from './checked-file.ts'
import { FEATURES, type Weights } from './learned-weights.ts'
import { MAX_TEXT, type Trace } from './traces.ts'

/** What `load` has found. */
export interface LoadedTraces {
  /** How many were read. */
  readonly traces: number
  /** Why the file was left out, and what to do. */
  readonly problem: string | undefined
}

const KIND: FileKind = { format: 'toolwright traces', version: 1 }
/** No fit gives such a weight. */
const MAX_WEIGHT = 1000

/** What a catalog has learned. */
export interface Learned {
  readonly traces: readonly Trace[]
  /** Undefined where none were fitted, or where they are of another version: they are fitted anew. */
  readonly weights: Weights | undefined
}

export async function writeTraceFile(path: string, { traces, weights }: Learned): Promise<void> {
  await writeCheckedFile(path, KIND, { traces, weights })
}

/** A text says what is wrong with the file; undefined if there is none. */
export async function readTraceFile(path: string): Promise<Learned | string | undefined> {
  const read = await readCheckedFile(path, KIND)
  if (read === undefined || typeof read === 'string') return read
  const learned = read.data
  const traces = isRecord(learned) ? learned['traces'] : undefined
  if (!isRecord(learned) || !Array.isArray(traces) || !traces.every(isTrace)) return 'It has traces that are none.'
  return { traces, weights: isWeights(learned['weights']) ? learned['weights'] : undefined }
}

/** The traces that a program gives, with a time; all of them or none. */
export function checkedTraces(given: Iterable<Omit<Trace, 'at'> & { readonly at?: number }>): readonly Trace[] {
  const traces = [...given].map((each) => ({ at: 0, ...each }))
  if (traces.every(isTrace)) return traces.map((each) => ({ ...each, text: each.text.slice(0, MAX_TEXT) }))
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
  const isList = (list: unknown): boolean =>
    Array.isArray(list) && list.length === FEATURES && list.every((each) => Math.abs(each) <= MAX_WEIGHT)
  return isRecord(value) && isList(value['known']) && isList(value['unknown'])
}
