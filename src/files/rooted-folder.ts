import { mkdirSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { quote } from '../schema/quote.ts'
import { ConfigurationError } from '../tool/errors/configuration-error.ts'
import { CLAUSE } from './entry-kind.ts'
import { pathRefused, shownPath, systemCode } from './explain-failure.ts'
import { DescriptorFolder, holdsDescriptors, NamedFolder, type OpenFolder } from './open-folder.ts'
import { folderParts, pathParts } from './path-parts.ts'
import { Place } from './place.ts'

/** The folder that a tool is confined to. No path leads out of it. */
export class RootedFolder {
  readonly #path: string
  readonly #open: (path: string) => OpenFolder

  /** `byDescriptor` says how folders are held; by default as well as the system can. */
  constructor(root: string, byDescriptor?: boolean) {
    this.#path = checkedRoot(root)
    this.#open = (byDescriptor ?? holdsDescriptors(this.#path)) ? DescriptorFolder.root : NamedFolder.root
  }

  /** The place of a path, with or without a file; undefined where a folder on the way is missing. The caller closes the place. */
  find(path: string): Place | undefined {
    return this.#walk(path, false)
  }

  /** The same with missing folders made. */
  make(path: string): Place {
    return this.#walk(path, true) as Place
  }

  /** A folder under the root, or the root itself, held open; undefined where there is none. The caller closes it. */
  enter(path: string): OpenFolder | undefined {
    return this.#descend(path, folderParts(path), false)
  }

  #walk(path: string, make: boolean): Place | undefined {
    const parts = pathParts(path)
    const folder = this.#descend(path, parts.slice(0, -1), make)
    return folder === undefined ? undefined : new Place(folder, parts.at(-1) ?? '', parts.join('/'))
  }

  #descend(path: string, parts: readonly string[], make: boolean): OpenFolder | undefined {
    let folder = this.#open(this.#path)
    for (const [index, each] of parts.entries()) {
      let next: ReturnType<OpenFolder['enter']> | undefined
      try {
        next = enter(folder, each, make)
      } finally {
        folder.close()
      }
      if (next === undefined) return undefined
      if (typeof next === 'string') throw pathRefused(path, `${shownPath(parts.slice(0, index + 1).join('/'))} ${CLAUSE[next]}`)
      folder = next
    }
    return folder
  }
}

function enter(folder: OpenFolder, name: string, make: boolean): ReturnType<OpenFolder['enter']> | undefined {
  try {
    return folder.enter(name)
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error
  }
  if (!make) return undefined
  try {
    mkdirSync(folder.at(name), 0o755)
  } catch (error) {
    // Another process made it first: it is checked next.
    if (systemCode(error) !== 'EEXIST') throw error
  }
  return folder.enter(name)
}

function checkedRoot(root: unknown): string {
  if (typeof root !== 'string' || root === '') throw wrongRoot(root)
  const path = resolve(root)
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) throw wrongRoot(root)
  return path
}

function wrongRoot(root: unknown): ConfigurationError {
  return new ConfigurationError('invalid_option', `'root' of a tool must be a folder that exists, not ${quote(root)}.`)
}
