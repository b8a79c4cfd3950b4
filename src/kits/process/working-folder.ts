import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import { quote } from '../../schema/quote.ts'
import { isRecord } from '../../schema/json-schema.ts'
import { checkFunction } from '../../tool/check-given.ts'
import { ConfigurationError } from '../../tool/errors/configuration-error.ts'
import { ToolError } from '../../tool/errors/tool-error.ts'
import { checkOptionNames, optionNames } from '../../tool/option-names.ts'
import { shownPath } from '../../files/explain-failure.ts'
import { RootedFolder } from '../../files/rooted-folder.ts'

/** A working folder that the input chooses. */
export interface RootedCwd<P> {
  /** No folder outside this one is entered, by no path and no link. */
  readonly root: string
  /** The folder, from the root on, with `/` between names; `.` is the root. */
  readonly folder: (input: P) => string
}

/** A folder while a program is started in it. */
interface HeldFolder {
  readonly path: string
  readonly close: () => void
}

export interface WorkingFolder {
  /** For the person who must approve. */
  readonly describe: (input: unknown) => string
  /** Throws where there is no such folder, or it must not be entered. */
  readonly hold: (input: unknown) => HeldFolder
}

const NAMES = optionNames<RootedCwd<unknown>>({ root: true, folder: true })

export function workingFolder(cwd: string | RootedCwd<never> | undefined, whose: string): WorkingFolder {
  if (isRecord(cwd)) return rootedFolder(cwd as unknown as RootedCwd<unknown>, whose)
  if (cwd !== undefined && (typeof cwd !== 'string' || cwd === '' || cwd.includes('\0')))
    throw new ConfigurationError('invalid_option', `'cwd' of ${whose} must be a folder, or { root, folder }, not ${quote(cwd)}.`)
  const path = resolve(cwd ?? '.')
  return {
    describe: () => path,
    hold: () => {
      if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return { path, close: () => {} }
      throw new ToolError(`The working folder ${shownPath(path)} does not exist.`, { code: 'process_not_started', outcome: 'not_started' })
    },
  }
}

function rootedFolder(cwd: RootedCwd<unknown>, whose: string): WorkingFolder {
  checkOptionNames(cwd, NAMES, `The 'cwd' of ${whose}`)
  checkFunction(cwd.folder, `'cwd.folder' of ${whose}`)
  const root = new RootedFolder(cwd.root)
  const folderOf = (input: unknown): string => {
    const folder: unknown = cwd.folder(input)
    if (typeof folder === 'string') return folder
    throw new ToolError(`'cwd.folder' of ${whose} must give a text, not ${quote(folder)}.`, {
      code: 'adapter_failed',
      outcome: 'not_started',
    })
  }
  return {
    describe: (input) => `${folderOf(input)} in ${resolve(cwd.root)}`,
    hold: (input) => {
      const folder = folderOf(input)
      const held = root.enter(folder)
      if (held !== undefined) return { path: held.at('.'), close: () => held.close() }
      throw new ToolError(`There is no folder ${shownPath(folder)}.`, {
        code: 'not_found',
        outcome: 'not_started',
        hint: 'Name a folder that exists, from the root folder on.',
      })
    },
  }
}
