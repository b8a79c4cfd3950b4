import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { quote } from '../../schema/quote.ts'

/** The program of a tool: a path, or a name that is looked up in the folders of `PATH`. */
export interface Program {
  readonly command: string
  /** The file to start now; undefined where there is none. */
  readonly find: (path: string) => string | undefined
}

/**
 * A relative path is taken from where the program of the developer runs, never from the folder that the tool works in: a file there may be
 * anybody's.
 */
export function programOf(command: unknown, whose: string): Program {
  if (typeof command !== 'string' || command.trim() === '' || command.includes('\0'))
    throw new ConfigurationError(
      'invalid_option',
      `'command' of ${whose} must be the name or the path of a program, not ${quote(command)}.`,
    )
  if (/[/\\]/.test(command)) {
    const file = resolve(command)
    return { command, find: () => file }
  }
  return { command, find: (path) => inFolders(command, path) }
}

/** The folders of `PATH` that mean the same in every working folder. */
export function absoluteFolders(path: string): readonly string[] {
  return path.split(delimiter).filter((folder) => isAbsolute(folder))
}

const ENDINGS = process.platform === 'win32' ? ['', '.exe', '.com'] : ['']

function inFolders(name: string, path: string): string | undefined {
  const files = absoluteFolders(path).flatMap((folder) => ENDINGS.map((ending) => join(folder, name + ending)))
  return files.find(isProgram)
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
