import { closeSync, constants, readSync } from 'node:fs'
import { isToolError } from '../../../tool/errors/tool-error.ts'
import { counted } from '../counted.ts'
import { diffPreview } from './diff-preview.ts'
import { hashOfBytes } from './file-bytes.ts'
import { ABSENT } from './file-state.ts'
import { shownPath } from './path-refused.ts'
import type { RootedFolder } from './rooted-folder.ts'
import type { WriteRequest } from './write-request.ts'
import type { WriteMode } from './write-schema.ts'

const MOST_COMPARED = 256 * 1024

const VERBS: Readonly<Record<WriteMode, string>> = { create: 'Creates', overwrite: 'Overwrites', append: 'Appends to' }

/** What the person reads who must approve a write. It shows the change to the file in the state that the request names, and to no other. */
export function writePreview(root: RootedFolder, request: WriteRequest): string {
  const { path, content, encoding, mode } = request
  const bytes = Buffer.from(content, encoding)
  const before = contentBefore(root, request)
  const after = mode === 'append' && before instanceof Uint8Array ? Buffer.concat([before, bytes]) : bytes
  const verb = mode === 'overwrite' && before === undefined ? VERBS.create : VERBS[mode]
  return `${verb} ${shownPath(path)}, ${counted(bytes.length, 'byte')}.\n${diffPreview({ path, before, after })}`
}

/** The content that the change starts from, undefined for no file, or a sentence why it cannot be shown. */
function contentBefore(root: RootedFolder, { path, ifHash }: WriteRequest): Uint8Array | string | undefined {
  try {
    const bytes = readWhole(root, path)
    if (typeof bytes === 'string' || ifHash === undefined) return bytes
    if ((bytes === undefined ? ABSENT : hashOfBytes(bytes)) === ifHash) return bytes
    return 'The file is changing just now; if it is not as expected when this is approved, nothing is written.'
  } catch (error) {
    return `The present content cannot be shown${isToolError(error) ? `: ${error.message}` : '.'}`
  }
}

function readWhole(root: RootedFolder, path: string): Uint8Array | string | undefined {
  const place = root.find(path)
  if (place === undefined) return undefined
  try {
    const file = place.open(constants.O_RDONLY)
    if (file === undefined) return undefined
    try {
      const size = Number(file.stats.size)
      if (size > MOST_COMPARED) return `The present content, ${size} bytes, is too long to show.`
      const buffer = Buffer.alloc(size)
      return buffer.subarray(0, readSync(file.descriptor, buffer, 0, size, 0))
    } finally {
      closeSync(file.descriptor)
    }
  } finally {
    place.close()
  }
}
