import { pathRefused } from './explain-failure.ts'

const LONGEST_PATH = 4096
const LONGEST_NAME = 255

/** Names of devices on Windows, with any ending. */
const DEVICE_NAME = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])$/i

/**
 * The names on the way from the root folder to a file. Names are taken as they are: nothing is decoded, expanded or normalised, and
 * `.` and `..` are gone. A path that could mean a place outside the root, here or on another system, is refused.
 */
export function pathParts(path: string, windows: boolean = process.platform === 'win32'): readonly string[] {
  const parts = folderParts(path, windows)
  if (parts.length === 0) throw pathRefused(path, 'it names the root folder itself. Name a file in it.')
  if (/\/\.{0,2}$/.test(path)) throw pathRefused(path, 'it names a folder. Name a file.')
  return parts
}

/** The same for a path to a folder: none for the root folder itself. */
export function folderParts(path: string, windows: boolean = process.platform === 'win32'): readonly string[] {
  checkText(path)
  checkForm(path)
  const parts: string[] = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') parts.push(checkedName(path, name, windows))
    else if (parts.pop() === undefined) throw pathRefused(path, "its '..' leaves the root folder.")
  }
  return parts
}

function checkText(path: string): void {
  if (path === '') throw pathRefused(path, 'it is empty. Name something in the root folder.')
  if (Buffer.byteLength(path) > LONGEST_PATH) throw pathRefused(path, `it is longer than ${LONGEST_PATH} bytes.`)
  if (!path.isWellFormed()) throw pathRefused(path, 'it holds half of a surrogate pair, which no file name can.')
  if (/\p{Cc}/u.test(path)) throw pathRefused(path, 'it holds a control character.')
}

function checkForm(path: string): void {
  if (path.includes('\\')) throw pathRefused(path, "it holds a backslash. Write '/' between folders.")
  if (path.startsWith('/')) throw pathRefused(path, 'it is absolute. Name the file from the root folder on.')
  if (/^[a-z]:(\/|$)/i.test(path)) throw pathRefused(path, 'it begins with a drive. Name the file from the root folder on.')
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(path)) throw pathRefused(path, 'it is a URL. Name the file from the root folder on.')
  if (path === '~' || path.startsWith('~/')) throw pathRefused(path, "'~' stands for nothing here. Name the file from the root folder on.")
}

function checkedName(path: string, name: string, windows: boolean): string {
  if (Buffer.byteLength(name) > LONGEST_NAME) throw pathRefused(path, `a name in it is longer than ${LONGEST_NAME} bytes.`)
  if (!windows) return name
  if (/[<>:"|?*]/.test(name)) throw pathRefused(path, 'a name in it holds one of < > : " | ? *')
  if (/[. ]$/.test(name)) throw pathRefused(path, 'a name in it ends in a dot or a space.')
  if (DEVICE_NAME.test(name.replace(/[. ].*$/, ''))) throw pathRefused(path, 'a name in it is that of a device.')
  return name
}
