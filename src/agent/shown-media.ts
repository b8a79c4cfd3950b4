import { isMedia, type MediaPart } from '../context/media-tokens.ts'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import type { ToolResult } from '../tool/result/result.ts'
import type { ReadResult } from './routed-results.ts'
import type { AgentToolOutput } from './messages.ts'

const MEDIA_TYPE = /^[\w.+-]+\/(?:[\w.+-]+|\*)$|^\*\/\*$/

export function checkMedia(media: unknown, whose: string): void {
  if (Array.isArray(media) && media.every((each) => typeof each === 'string' && MEDIA_TYPE.test(each))) return
  throw new ConfigurationError(
    'invalid_option',
    `'media' of ${whose} must be media types, such as ['image/*', 'application/pdf'], not ${quote(media)}.`,
  )
}

/** The parts of a result that a model takes as they are. */
export function shownMedia(result: ToolResult, media: readonly string[]): readonly MediaPart[] {
  return result.ok && media.length > 0 ? (result.content ?? []).filter((part): part is MediaPart => isMedia(part, media)) : []
}

/** Says which parts the model does not see. */
export function withheldMedia(result: ToolResult, shown: readonly MediaPart[]): string {
  const parts = result.ok ? (result.content ?? []) : []
  const withheld = parts.flatMap((part) =>
    part.type === 'text' || part.data === undefined || shown.includes(part as MediaPart) ? [] : [part.mimeType ?? 'a file'],
  )
  return withheld.length === 0 ? '' : `\n[Not shown: ${withheld.join(', ')}.]`
}

/** What a model reads of a result, in the form of the AI SDK. */
export function toolOutput({ text, media }: Pick<ReadResult, 'text' | 'media'>, ok: boolean): AgentToolOutput {
  if (media.length === 0) return { type: ok ? 'text' : 'error-text', value: text }
  return {
    type: 'content',
    value: [
      { type: 'text', text },
      ...media.map(({ data, mimeType }) => ({ type: 'file' as const, data: { type: 'data' as const, data }, mediaType: mimeType })),
    ],
  }
}
