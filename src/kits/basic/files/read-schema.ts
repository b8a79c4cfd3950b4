/** The least that a call may ask for: room for any one character. */
const LEAST_BYTES = 16

/** What `file_read` takes. */
export function readInput(mostBytes: number) {
  return {
    type: 'object',
    properties: {
      path: { type: 'string', description: "The file, from the root folder on, with '/' between folders: 'notes/today.md'." },
      fromLine: { type: 'integer', minimum: 1, description: 'The first line to read, counted from 1.' },
      toLine: { type: 'integer', minimum: 1, description: 'The last line to read, inclusive.' },
      fromByte: {
        type: 'integer',
        minimum: 0,
        description: 'Read on from this position in the file, as a truncated answer said. Not together with lines.',
      },
      maxBytes: {
        type: 'integer',
        minimum: LEAST_BYTES,
        maximum: mostBytes,
        description: `The most to give back, in bytes; ${mostBytes} by default. More is truncated, and the answer says how to read on.`,
      },
      encoding: {
        type: 'string',
        enum: ['utf8', 'utf16le', 'latin1', 'base64'],
        description: "By default UTF-8, or UTF-16 where the file says so by its first bytes. 'base64' for files that are not text.",
      },
    },
    required: ['path'],
  } as const
}

/** What `file_read` gives. */
export const READ_OUTPUT = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    content: { type: 'string' },
    encoding: { type: 'string', enum: ['utf8', 'utf16le', 'utf16be', 'latin1', 'base64'] },
    lines: {
      type: 'object',
      description: 'The lines of the content; the total is there when the end of the file was reached.',
      properties: { from: { type: 'integer' }, to: { type: 'integer' }, total: { type: 'integer' } },
      required: ['from', 'to'],
    },
    bytes: { type: 'integer', description: 'The size of the whole file.' },
    truncated: { type: 'boolean', description: 'Whether less was given than was asked for.' },
    next: {
      type: 'object',
      description: 'Where to read on.',
      properties: { fromLine: { type: 'integer' }, fromByte: { type: 'integer' } },
    },
    hash: { type: 'string', description: 'SHA-256 of the whole file, when all of it was read; file_write takes it as ifHash.' },
  },
  required: ['path', 'content', 'encoding', 'bytes', 'truncated'],
} as const
