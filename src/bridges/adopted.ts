import type { ApprovalOptions, RequireApproval } from '../tool/approval-rule.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { Metadata } from '../tool/metadata.ts'
import type { ContentPart } from '../tool/result/result.ts'

/** Metadata that a tool of a peer does not have. */
export interface AdoptedMetadata extends Metadata {
  /** Beside what the tool itself asks. */
  readonly requireApproval?: RequireApproval<never> | undefined
}

const LONGEST_NAME = 64

/** A name that all models accept. Peers allow more characters. */
export function adoptedName(name: string): string {
  return name.replaceAll(/[^A-Za-z0-9_]/g, '_').slice(0, LONGEST_NAME)
}

/**
 * A person is asked when either of the two says so. A rule of the peer that answers by a promise cannot be waited for here: it counts as yes,
 * and so does anything but `false`.
 */
export function combinedApproval(
  own: RequireApproval<never> | undefined,
  foreign: boolean | ((input: unknown) => unknown) | undefined,
): RequireApproval<unknown> {
  const options: ApprovalOptions<never> = typeof own === 'object' ? own : {}
  const isAsked = (typeof own === 'object' ? (own.when ?? true) : (own ?? false)) as boolean | ((input: unknown) => boolean)
  if (foreign === undefined || foreign === false) return { ...(options as ApprovalOptions<unknown>), when: isAsked }
  const when =
    foreign === true || isAsked === true
      ? true
      : (input: unknown): boolean => foreign(input) !== false || (typeof isAsked === 'function' && isAsked(input))
  return { ...(options as ApprovalOptions<unknown>), when }
}

interface Entries {
  readonly nameOf: (value: unknown) => string
  readonly metadata: Readonly<Record<string, AdoptedMetadata>>
  /** The name of the bridge, for messages: `fromLangChain`. */
  readonly bridge: string
}

/** The tools of a list or a record with their names. Metadata for none of them is refused: a misspelt name would leave a tool without its effect. */
export function adoptedEntries(tools: object, { nameOf, metadata, bridge }: Entries): readonly (readonly [string, unknown])[] {
  const entries = Array.isArray(tools) ? tools.map((each: unknown) => [nameOf(each), each] as const) : Object.entries(tools)
  const unknown = Object.keys(metadata).find((name) => !entries.some(([key]) => key === name))
  if (unknown === undefined) return entries
  throw new ConfigurationError('invalid_option', `'metadata' of ${bridge} names '${unknown}', which is none of the tools.`)
}

const DATA_URL = /^data:(?<mimeType>[\w.+-]+\/[\w.+-]+)(?:;[^,]*)?;base64,(?<data>[\w+/=]*)$/

/** The bytes of a data URL as content; any other address as a resource, which nobody fetches here. */
export function contentByAddress(uri: string): ContentPart {
  const { mimeType, data } = DATA_URL.exec(uri)?.groups ?? {}
  return mimeType === undefined || data === undefined ? { type: 'resource', uri } : binaryContent(data, { mimeType })
}

/** Bytes of a peer as content. */
export function binaryContent(
  data: string,
  { mimeType, name = 'file' }: { readonly mimeType: string; readonly name?: string | undefined },
): ContentPart {
  const [kind] = mimeType.split('/')
  return kind === 'image' || kind === 'audio' ? { type: kind, data, mimeType } : { type: 'resource', uri: name, mimeType, data }
}

/** Bytes in base64, however a peer holds them; undefined where it holds none. */
export function base64Of(data: unknown): string | undefined {
  if (typeof data === 'string') return data
  if (data instanceof ArrayBuffer) return Buffer.from(data).toString('base64')
  return data instanceof Uint8Array ? Buffer.from(data).toString('base64') : undefined
}
