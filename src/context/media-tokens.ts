import type { ContentPart } from '../tool/result/result.ts'

/** A part of a result that is no text: an image, a sound, a file. */
export type MediaPart = Exclude<ContentPart, { readonly type: 'text' }> & { readonly data: string; readonly mimeType: string }

/** Whether a part is bytes of one of these media types: `image/*`, `application/pdf`. */
export function isMedia(part: ContentPart, types: readonly string[]): part is MediaPart {
  if (part.type === 'text' || part.data === undefined || part.mimeType === undefined) return false
  const own = part.mimeType.toLowerCase().split(';')[0]?.trim() ?? ''
  return types.some(
    (type) => type === '*/*' || type.toLowerCase() === own || (type.endsWith('/*') && own.startsWith(type.slice(0, -1).toLowerCase())),
  )
}

const PIXELS_OF_A_TOKEN = 750
const MOST_OF_AN_IMAGE = 1600
const BYTES_OF_A_TOKEN_OF_SOUND = 400
const BYTES_OF_A_TOKEN_OF_A_FILE = 4

/**
 * What a part takes of a context, on the safe side: an image by its size, 1,600 tokens at most, as it is made smaller beyond that; a sound by
 * its bytes; another file as if all of it were text.
 */
export function mediaTokens({ data, mimeType }: Pick<MediaPart, 'data' | 'mimeType'>): number {
  const bytes = Math.ceil((data.length * 3) / 4)
  if (mimeType.startsWith('audio/')) return Math.ceil(bytes / BYTES_OF_A_TOKEN_OF_SOUND) + 1
  if (!mimeType.startsWith('image/')) return Math.ceil(bytes / BYTES_OF_A_TOKEN_OF_A_FILE) + 1
  const size = sizeOfPng(data)
  return size === undefined ? MOST_OF_AN_IMAGE : Math.min(MOST_OF_AN_IMAGE, Math.ceil((size.width * size.height) / PIXELS_OF_A_TOKEN) + 1)
}

const PNG = '89504e470d0a1a0a'
const PNG_HEAD = 24

function sizeOfPng(data: string): { readonly width: number; readonly height: number } | undefined {
  const head = Buffer.from(data.slice(0, Math.ceil(PNG_HEAD / 3) * 4), 'base64')
  if (head.length < PNG_HEAD || head.toString('hex', 0, 8) !== PNG) return undefined
  return { width: head.readUInt32BE(16), height: head.readUInt32BE(20) }
}
