import { lstatSync, mkdirSync, realpathSync, rmdirSync, unlinkSync, writeFileSync } from 'node:fs'
import { dirname, isAbsolute, join, relative, sep } from 'node:path'
import { CliError } from './cli-error.ts'
import { EXIT } from './exit-code.ts'

export interface NewFiles {
  /** Nothing is written outside of it. It may be missing. */
  readonly folder: string
  /** The texts, by path from the folder. */
  readonly files: Readonly<Record<string, string>>
  /** What else to do where files are in the way. */
  readonly hint?: string | undefined
  /** Files that are left as they are if they exist. Every other one that exists is an error. */
  readonly kept?: readonly string[]
}

export interface WrittenFiles {
  /** By path from the folder, in the order of the names. */
  readonly written: readonly string[]
  readonly kept: readonly string[]
}

/**
 * Writes new files, all of them or none. An existing file is never changed, and a symbolic link is not followed out of the folder: nothing is
 * written then, and the error lists every obstacle.
 */
export function writeNewFiles({ folder, files, kept = [], hint }: NewFiles): WrittenFiles {
  const paths = Object.keys(files).toSorted()
  const existing = paths.filter((path) => exists(join(folder, path)))
  const inTheWay = existing.filter((path) => !kept.includes(path))
  if (inTheWay.length > 0)
    throw new CliError('file_exists', `Nothing was written, since these exist already in ${folder}: ${inTheWay.join(', ')}.`, {
      hint: `Choose another name or an empty folder, or move these files away. No file is ever overwritten.${hint === undefined ? '' : `\n${hint}`}`,
      exit: EXIT.failed,
    })
  for (const path of paths) checkWay(folder, path)
  const missing = paths.filter((path) => !existing.includes(path))
  writeAll(folder, Object.fromEntries(missing.map((path) => [path, files[path] ?? ''])))
  return { written: missing, kept: existing }
}

/** The folders on the way to a file must be folders, and lie inside. */
function checkWay(folder: string, path: string): void {
  let nearest = dirname(join(folder, path))
  while (!exists(nearest)) nearest = dirname(nearest)
  const isFolder = lstatSync(realOf(nearest)).isDirectory()
  if (isFolder && (isIn(nearest, folder) || isIn(realOf(folder), realOf(nearest)))) return
  throw new CliError(
    'file_exists',
    isFolder ? `Nothing was written: ${nearest} leads out of ${folder}.` : `Nothing was written: ${nearest} is no folder.`,
    { hint: 'Choose another folder.', exit: EXIT.failed },
  )
}

/** Whether a path is the folder itself, or below it. A name may begin with two dots. */
function isIn(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function realOf(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    // A link that leads nowhere: it is looked at as it is.
    return path
  }
}

/** A broken link counts: something would be written where it points. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    // It cannot be looked at, as below a file that should be a folder. If it is there all the same, writing it fails.
    return false
  }
}

/** If one cannot be written, those before it are removed again. */
function writeAll(folder: string, files: Readonly<Record<string, string>>): void {
  const undo: (() => void)[] = []
  try {
    for (const [path, text] of Object.entries(files)) {
      const file = join(folder, path)
      makeFolder(dirname(file), undo)
      // Fails if somebody else has made it meanwhile.
      writeFileSync(file, text, { flag: 'wx' })
      undo.push(() => unlinkSync(file))
    }
  } catch (cause) {
    for (const step of undo.toReversed()) attempt(step)
    throw new CliError('not_written', `Nothing was written to ${folder}. ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      hint: 'Check that the folder can be written to, and that the disk has room.',
      exit: EXIT.failed,
    })
  }
}

/** One by one: where the system makes no folders, as in /proc, Node tries without end to make several. */
function makeFolder(folder: string, undo: (() => void)[]): void {
  if (exists(folder)) return
  makeFolder(dirname(folder), undo)
  mkdirSync(folder)
  undo.push(() => rmdirSync(folder))
}

function attempt(step: () => void): void {
  try {
    step()
  } catch {
    // It is gone already, or somebody else uses it.
  }
}
