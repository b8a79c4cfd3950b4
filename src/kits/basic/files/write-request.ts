/** A request to `file_write`, with defaults filled in. */
export interface WriteRequest {
  readonly path: string
  readonly content: string
  readonly mode: WriteMode
  readonly encoding: 'utf8' | 'base64'
  readonly parents: boolean
  readonly ifHash?: string | undefined
}

export const MODES = ['create', 'overwrite', 'append'] as const
/** What `file_write` does with a file that exists. */
export type WriteMode = (typeof MODES)[number]

/** The input schema of `file_write`. */
export function writeInput(modes: readonly WriteMode[], parents: boolean) {
  return {
    type: 'object',
    properties: {
      path: { type: 'string', description: "The file, from the root folder on, with '/' between folders: 'notes/today.md'." },
      content: { type: 'string', description: 'What to write: the whole content, or with append what to add at the end.' },
      mode: {
        type: 'string',
        enum: modes,
        ...{ default: modes[0] },
        description:
          "'create' makes a new file and fails if there is one; 'overwrite' replaces the file or makes it; 'append' adds at its end.",
      },
      encoding: { type: 'string', enum: ['utf8', 'base64'], default: 'utf8', description: "'base64' for content that is not text." },
      parents: { type: 'boolean', ...{ default: parents }, description: 'Make the folders on the way that do not exist.' },
      ifHash: {
        type: 'string',
        pattern: '^([0-9a-f]{64}|absent)$',
        description: "Write only if the file still has this hash, as file_read gave it, or with 'absent' if there is still no file.",
      },
    },
    required: ['path', 'content'],
  } as const
}

/** The output schema of `file_write`. */
export const WRITE_OUTPUT = {
  type: 'object',
  properties: {
    path: { type: 'string' },
    bytes: { type: 'integer', description: 'How many bytes were written.' },
    created: { type: 'boolean', description: 'Whether there was no file before.' },
    hash: { type: 'string', description: 'SHA-256 of what was written, unless it was added to a file.' },
  },
  required: ['path', 'bytes', 'created'],
} as const
