import { ToolError } from '../../../tool/errors/tool-error.ts'
import type { Interruptible } from './file-bytes.ts'
import { ABSENT, changed, exists, stateOf } from './file-state.ts'
import { shownPath } from './path-refused.ts'
import type { RootedFolder } from './rooted-folder.ts'
import type { WriteRequest } from './write-request.ts'

/** Looks whether a write could succeed and gives the hash of the file that it starts from; what could not is thrown. Changes nothing. */
export async function rehearseWrite(root: RootedFolder, request: WriteRequest, signal: Interruptible): Promise<string> {
  const { path, mode, parents, ifHash } = request
  const place = root.find(path)
  if (place === undefined && !parents) throw noFolder(path)
  let hash = ABSENT
  try {
    if (place !== undefined) hash = (await stateOf(place, signal)).hash
  } finally {
    place?.close()
  }
  if (mode === 'create' && hash !== ABSENT) throw exists(path)
  if (ifHash !== undefined && ifHash !== hash) throw changed(path, ifHash, hash)
  return hash
}

export function noFolder(path: string): ToolError {
  return new ToolError(`Cannot write ${shownPath(path)}: a folder on the way to it does not exist.`, {
    code: 'not_found',
    outcome: 'not_started',
    hint: 'Correct the path, or say parents: true to make the folders.',
  })
}
